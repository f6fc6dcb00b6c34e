/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _VIVGPU_DEVICE_H_
#define _VIVGPU_DEVICE_H_

#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <kunit/visibility.h>

#include <drm/drm_device.h>
#include <drm/gpu_scheduler.h>

#include "vivgpu_deadline.h"
#include "vivgpu_debugfs.h"
#include "vivgpu_event.h"
#include "vivgpu_mmu.h"
#include "vivgpu_perfmon.h"
#include "vivgpu_pm.h"
#include "vivgpu_regs.h"
#include "vivgpu_ring.h"
#include "vivgpu_state.h"
#include "vivgpu_usage.h"
#include "vivgpu_watchdog.h"

struct device;
struct vivgpu_client;
struct vivgpu_dumps;
struct vivgpu_kms;
struct vivgpu_vm;

#define VIVGPU_FEATURE_WORDS	7
#define VIVGPU_SPECS_WORDS	4

/**
 * struct vivgpu_identity - identity and features of a core, from its registers
 */
struct vivgpu_identity {
	/** @model: model, corrected for renamed cores */
	u32 model;
	/** @revision: revision, corrected likewise */
	u32 revision;
	/** @product: product word */
	u32 product;
	/** @customer: customer word */
	u32 customer;
	/** @eco: engineering change order */
	u32 eco;
	/** @features: feature word and the six minor ones */
	u32 features[VIVGPU_FEATURE_WORDS];
	/** @specs: specification words */
	u32 specs[VIVGPU_SPECS_WORDS];
};

/**
 * struct vivgpu_shared - the kernel's memory that is mapped in all address spaces
 */
struct vivgpu_shared {
	/** @words: ring, then the MMU's set-up commands, one allocation */
	u32 *words;
	/** @dma: its bus address */
	dma_addr_t dma;
	/** @scrub: memory for commands that set states to zero */
	u32 *scrub;
	/** @scrub_dma: its bus address */
	dma_addr_t scrub_dma;
	/** @stlb: second level table that maps the above read-only */
	u32 *stlb;
	/** @stlb_dma: its bus address */
	dma_addr_t stlb_dma;
	/** @safe: page to which the MMU redirects faulting accesses */
	void *safe;
	/** @safe_dma: its bus address */
	dma_addr_t safe_dma;
};

/**
 * struct vivgpu_running - the oldest job in the ring, for readers without the lock
 */
struct vivgpu_running {
	/** @client: its client, only to be compared; NULL without a job that has commands */
	const struct vivgpu_client *client;
	/** @times: its timestamps so far */
	struct vivgpu_times times;
};

/**
 * struct vivgpu_bus_ops - functions of the bus that a core is on
 */
struct vivgpu_bus_ops {
	/** @power_on: turn clocks and supplies on; returns 0 or a negative error number */
	int (*power_on)(struct vivgpu_device *vdev);
	/** @power_off: turn them off */
	void (*power_off)(struct vivgpu_device *vdev);
	/**
	 * @set_scale: divide the rates of its clocks by two to the power of @scale, as far as they
	 * can, and return the core's in Hz; or NULL
	 */
	u32 (*set_scale)(struct vivgpu_device *vdev, u32 scale);
};

/**
 * struct vivgpu_device - one GC core
 */
struct vivgpu_device {
	/** @drm: the DRM device */
	struct drm_device drm;
	/** @regs: registers of the core */
	void __iomem *regs;
	/** @doorbell: a hint to a virtual board that there is work, or NULL */
	void __iomem *doorbell;
	/** @display: registers of the display block, or NULL */
	void __iomem *display;
	/** @board: registers of a virtual board, or NULL; set if @display is */
	void __iomem *board;
	/** @kms: the display, or NULL; constant after probe */
	struct vivgpu_kms *kms;
	/** @bus: functions of the bus, or NULL */
	const struct vivgpu_bus_ops *bus;
	/** @bus_data: data of the bus */
	void *bus_data;
	/** @clock_poll: work that reads the cycle counter before it wraps */
	struct delayed_work clock_poll;
	/** @frozen: the scheduler is stopped for system sleep */
	bool frozen;
	/** @dumps: dumps of faults for devcoredump */
	struct vivgpu_dumps *dumps;
	/** @irq: the core's interrupt */
	int irq;
	/** @display_irq: the display's, which can be the same */
	int display_irq;
	/** @mmu_v1: MMU of version 1, with one address space; constant after probe */
	bool mmu_v1;
	/** @window_base: bus address of the linear window of such an MMU; constant after probe */
	u32 window_base;
	/** @cycles_reg: the register that counts cycles; constant after probe */
	u32 cycles_reg;
	/** @freq: by how much its clock is divided */
	struct vivgpu_freq freq;
	/** @clock_hz: clock of the core at full speed, 0 if not known */
	u32 clock_hz;
	/** @identity: identity of the core; constant after probe */
	struct vivgpu_identity identity;
	/** @shared: memory mapped in all address spaces; constant after probe */
	struct vivgpu_shared shared;
	/** @sched: scheduler of the ring */
	struct drm_gpu_scheduler sched;
	/** @shrinker: purges buffers when memory is short */
	struct shrinker *shrinker;
	/**
	 * @purge_lock: protects @purgeable and the lists of buffers' mappings; taken
	 * within the locks of reservations and of address spaces. Reclaim, which takes
	 * this one first, only tries those.
	 */
	struct mutex purge_lock;
	/** @capture: captured streams of the last jobs, for debugfs */
	struct vivgpu_capture capture;
	/** @purgeable: buffers that may be purged, oldest advice first */
	struct list_head purgeable;
	/** @cmd_slots_lock: protects changes of @cmd_slots; innermost */
	spinlock_t cmd_slots_lock;
	/** @cmd_slots: use of the command slots by address spaces */
	struct vivgpu_cmd_slots cmd_slots;
	/** @submitted: number of jobs that all clients submitted */
	atomic64_t submitted;
	/** @unfreed_jobs: jobs the scheduler ran and has not freed yet */
	atomic_t unfreed_jobs;
	/** @submit_wq: the scheduler's ordered workqueue, on which jobs enter the ring */
	struct workqueue_struct *submit_wq;
	/** @submit_work: reads counters of a job that ended, starts @ready_jobs; on @submit_wq */
	struct work_struct submit_work;
	/** @free_wq: workqueue that frees jobs, which may lock reservations */
	struct workqueue_struct *free_wq;
	/**
	 * @idle_wait: woken when a job that ran was freed, and when @jobs becomes
	 * empty
	 */
	wait_queue_head_t idle_wait;

	/**
	 * @owners_lock: protects the three members below; taken where clients and queues are
	 * created and freed, outside of the locks of clients
	 */
	struct mutex owners_lock;
	/** @gone: the device was unbound; no clients and queues are added */
	bool gone;
	/** @clients: all clients */
	struct list_head clients;
	/** @queues: all queues */
	struct list_head queues;

	/** @bos_lock: protects @bos; only the lock of @bos_wait is taken inside */
	spinlock_t bos_lock;
	/** @bos: buffers that are or were mapped for the device */
	struct list_head bos;
	/** @bos_wait: woken, under @bos_lock, when @bos becomes empty */
	wait_queue_head_t bos_wait;

	/**
	 * @lock: protects the members below; taken by the interrupt handler and when a job
	 * enters the ring. Only locks of fences, wait queues, timers and works are taken inside.
	 */
	spinlock_t lock;
	/** @awake: the core's registers can be read; it neither sleeps nor is in a reset */
	bool awake;
	/** @ring: the ring of commands that link jobs */
	struct vivgpu_ring ring;
	/** @vm: address space of the last job in the ring, referenced */
	struct vivgpu_vm *vm;
	/** @vm_sequence: flush sequence of @vm at the last MMU flush that was emitted */
	u32 vm_sequence;
	/**
	 * @state: which client wrote each state, after the last job in the ring; used on
	 * @submit_wq only
	 */
	struct vivgpu_core_state state;
	/** @scrub: memory for commands that set states to zero */
	struct vivgpu_scrub scrub;
	/** @queue: id of the queue whose job entered the ring last, 0 after a reset */
	u64 queue;
	/** @events: events of the jobs in the ring that were not raised yet */
	struct vivgpu_events events;
	/**
	 * @usage_seq: lets readers without @lock read @clock, @awake, @running and the usage of
	 * clients
	 */
	seqcount_spinlock_t usage_seq;
	/** @running: the oldest job in the ring */
	struct vivgpu_running running;
	/** @jobs: jobs in the ring, oldest first */
	struct list_head jobs;
	/**
	 * @ready_jobs: jobs that the scheduler has run and that cannot enter the ring yet, oldest
	 * first: a job with counters is alone in the ring, two address spaces may have
	 * their streams in the same command slot, and the arbiter lets others go first
	 */
	struct list_head ready_jobs;
	/** @deadlines: selects the job that enters the ring next */
	struct vivgpu_deadlines deadlines;
	/** @counters_job: the job that has ended and whose counters are not read yet, or NULL */
	struct vivgpu_job *counters_job;
	/** @ring_seqno: number of the last job that entered the ring */
	u64 ring_seqno;
	/** @done_seqno: number of the last job in the ring that has completed or failed */
	u64 done_seqno;
	/** @clock: 64 bit cycle count, and the end of the last job */
	struct vivgpu_clock clock;
	/** @fault: the core raised an AXI or MMU error since the last reset */
	bool fault;
	/** @idle_fault: the error came while the ring was empty, so no job is guilty */
	bool idle_fault;
	/** @fault_status: MMU status of the last fault */
	u32 fault_status;
	/** @fault_address: GPU address of the last fault, 0 if not known */
	u32 fault_address;
	/** @watchdog: makes recoveries begin */
	struct vivgpu_watchdog watchdog;
	/** @fe_address: the front end's address at the last check for progress */
	u32 fe_address;
	/** @fe_seqno: @done_seqno at the last check for progress */
	u64 fe_seqno;
	/** @dead: a reset failed or the device is being unbound; jobs fail; never cleared */
	bool dead;
	/** @resets: number of resets since probe */
	u32 resets;
	/** @evictions: of these, how many ended a job that was in the way of reserved ones */
	u32 evictions;
	/** @recovery_evicts: so does the present recovery; changed by the work that runs it */
	bool recovery_evicts;
	/** @usage: GPU use of finished jobs of all clients; read by @usage_seq, too */
	struct vivgpu_usage usage;
	/** @reported: the highest figures of all clients that were returned */
	struct vivgpu_usage reported;
	/** @ended: numbers of ended jobs of all clients */
	struct vivgpu_ended ended;
	/** @lost_records: number of records that were dropped because a stream was full */
	u64 lost_records;
	/** @sampling: counting for streams */
	struct vivgpu_sampling sampling;
	/** @streams: open streams of records */
	struct list_head streams;
	/** @sampler: one of @streams is exclusive */
	bool sampler;
};

#define to_vivgpu(drm_) container_of(drm_, struct vivgpu_device, drm)

/*
 * The front end's debug registers have to be read twice: they cross into another clock domain, and
 * the first reading can return the register that was read before (seen on GC7000 r6009; etnaviv's
 * gpu_read()).
 */
static inline bool vivgpu_read_is_unsettled(u32 offset)
{
	return offset >= FE_DMA_STATUS && offset <= FE_AUTO_FLUSH;
}

static inline u32 vivgpu_read(struct vivgpu_device *vdev, u32 offset)
{
	if (vivgpu_read_is_unsettled(offset))
		readl(vdev->regs + offset);
	return readl(vdev->regs + offset);
}

static inline void vivgpu_write(struct vivgpu_device *vdev, u32 offset, u32 value)
{
	writel(value, vdev->regs + offset);
}

/* Notify a virtual board that the commands have changed, so that its front end fetches them. */
static inline void vivgpu_device_ring_doorbell(struct vivgpu_device *vdev)
{
	if (vdev->doorbell)
		writel(1, vdev->doorbell);
}

/* Cores of the GC2000's generation have the cycle counter in MC, later ones in HI. */
static inline bool vivgpu_identity_is_old(const struct vivgpu_identity *id)
{
	return id->model == 0x880 || id->model == 0x2000 || id->model == 0x2100;
}

struct vivgpu_device *vivgpu_device_alloc(struct device *dev);
int vivgpu_device_init(struct vivgpu_device *vdev);
void vivgpu_device_fini(struct vivgpu_device *vdev);

int vivgpu_suspend_core(struct vivgpu_device *vdev);
int vivgpu_pm_runtime_suspend(struct device *dev);
int vivgpu_pm_runtime_resume(struct device *dev);
int vivgpu_pm_suspend(struct device *dev);
int vivgpu_pm_resume(struct device *dev);

#if IS_ENABLED(CONFIG_KUNIT)
u32 vivgpu_suspend_read_idle(struct vivgpu_device *vdev);
void vivgpu_suspend_stop_core(struct vivgpu_device *vdev);
#endif

#endif
