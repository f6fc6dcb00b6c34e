/* SPDX-License-Identifier: MIT */
/*
 * Messages of the vfio-user protocol, and functions that check them. Each takes the payload as it
 * was received, and copies it to a structure whose values the card can use as they are. They depend
 * on nothing else and change nothing else.
 *
 * Protocol: docs/interop/vfio-user.rst of QEMU. Structures are little-endian, as the card's hosts
 * are; regions, interrupts and flags are those of <linux/vfio.h>.
 */
#ifndef CARD_BUS_VFIO_MESSAGE_H
#define CARD_BUS_VFIO_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/board.h"
#include "bus/msix.h"
#include "bus/pci_config.h"

#define VFIO_USER_MAJOR 0u
#define VFIO_USER_MINOR 0u

#define VFIO_USER_DATA_BYTES 4096u  /* max_data_xfer_size; regions permit less in an access */
#define VFIO_USER_FDS 8u            /* with one message, at most */
#define VFIO_USER_PAGE 4096u        /* mappings begin and end at multiples of it */
#define VFIO_USER_MULTI_WRITES 200u /* in one VFIO_USER_REGION_WRITE_MULTI, at most: as QEMU */
#define VFIO_USER_REGION_COUNT 9u   /* those of <linux/vfio.h> for a PCI function */
#define VFIO_USER_IRQ_INDICES 5u

enum vfio_user_command {
	VFIO_USER_VERSION = 1,
	VFIO_USER_DMA_MAP = 2,
	VFIO_USER_DMA_UNMAP = 3,
	VFIO_USER_DEVICE_GET_INFO = 4,
	VFIO_USER_DEVICE_GET_REGION_INFO = 5,
	VFIO_USER_DEVICE_GET_REGION_IO_FDS = 6,
	VFIO_USER_DEVICE_GET_IRQ_INFO = 7,
	VFIO_USER_DEVICE_SET_IRQS = 8,
	VFIO_USER_REGION_READ = 9,
	VFIO_USER_REGION_WRITE = 10,
	VFIO_USER_DMA_READ = 11,
	VFIO_USER_DMA_WRITE = 12,
	VFIO_USER_DEVICE_RESET = 13,
	VFIO_USER_DIRTY_PAGES = 14,
	VFIO_USER_REGION_WRITE_MULTI = 15,
	VFIO_USER_COMMANDS
};

/* Flags of a header */
#define VFIO_USER_TYPE 0xfu /* 0: command, 1: reply */
#define VFIO_USER_REPLY 0x1u
#define VFIO_USER_NO_REPLY 0x10u
#define VFIO_USER_ERROR 0x20u

struct vfio_user_header {
	uint16_t id; /* a reply has that of its command */
	uint16_t command;
	uint32_t size; /* of the message with this header, bytes */
	uint32_t flags;
	uint32_t error; /* of a reply with VFIO_USER_ERROR: an errno value */
};

struct vfio_user_version {
	uint16_t major, minor; /* followed by capabilities: JSON that ends with a zero byte */
};

/* flags of VFIO_USER_DMA_MAP and _UNMAP */
#define VFIO_USER_DMA_READABLE 0x1u
#define VFIO_USER_DMA_WRITEABLE 0x2u
#define VFIO_USER_UNMAP_DIRTY 0x1u
#define VFIO_USER_UNMAP_ALL 0x2u

struct vfio_user_dma_map {
	uint32_t argsz, flags;
	uint64_t offset; /* in the file whose descriptor the message carries */
	uint64_t address, size;
};

struct vfio_user_dma_unmap {
	uint32_t argsz, flags;
	uint64_t address, size;
};

struct vfio_user_device_info {
	uint32_t argsz, flags, regions, irqs;
};

struct vfio_user_region_info {
	uint32_t argsz, flags, index, capabilities;
	uint64_t size, offset;
};

struct vfio_user_irq_info {
	uint32_t argsz, flags, index, count;
};

/* Followed by a byte for each interrupt if flags have VFIO_IRQ_SET_DATA_BOOL. */
struct vfio_user_irq_set {
	uint32_t argsz, flags, index, start, count;
};

/* Followed by the data: of a command to write, or of the reply to a read. */
struct vfio_user_access {
	uint64_t offset;
	uint32_t region, count;
};

struct vfio_user_small_write {
	struct vfio_user_access access;
	uint8_t data[8];
};

/*
 * Room for the largest payload, a VFIO_USER_REGION_WRITE_MULTI: a count, and the writes. QEMU sends
 * it with room for all writes, however few there are.
 */
#define VFIO_USER_PAYLOAD_BYTES \
	(sizeof(uint64_t) + VFIO_USER_MULTI_WRITES * sizeof(struct vfio_user_small_write))

/* A VFIO_USER_DEVICE_SET_IRQS that was found valid. */
struct vfio_irq_request {
	uint32_t action; /* VFIO_IRQ_SET_ACTION_* */
	uint32_t data;   /* VFIO_IRQ_SET_DATA_* */
	uint32_t index, start, count;
	bool has_fds;               /* @count of them */
	uint8_t flag[MSIX_VECTORS]; /* VFIO_IRQ_SET_DATA_BOOL: one for each interrupt */
};

/* A VFIO_USER_REGION_WRITE_MULTI that was found valid. */
struct vfio_small_writes {
	unsigned int count;
	struct vfio_user_small_write write[VFIO_USER_MULTI_WRITES];
};

/**
 * vfio_check_header - check the header of a message from the client
 *
 * Returns: NULL, or why the rest of the stream cannot be understood.
 */
const char *vfio_check_header(const struct vfio_user_header *header);

/** vfio_irq_count - number of interrupts of an index (VFIO_PCI_*_IRQ_INDEX); 0 if there are none */
unsigned int vfio_irq_count(uint32_t index, bool msi);

/*
 * Functions that check a payload of @bytes bytes at @payload. They return 0, or the errno value for
 * the reply; what they write is then undefined.
 */

/** vfio_check_version - the client's version and capabilities; EPROTONOSUPPORT: another version */
int vfio_check_version(const void *payload, size_t bytes);

/**
 * vfio_check_dma_map - a range of guest memory
 * @fds: number of descriptors with the message
 *
 * Also ranges that cannot be mapped are valid: those without descriptor or that the card may not
 * write. The file's size is not checked here.
 */
int vfio_check_dma_map(const void *payload, size_t bytes, unsigned int fds,
		       struct vfio_user_dma_map *map);

/** vfio_check_dma_unmap - ENOTSUP: a request for the dirty pages, which only a migration needs */
int vfio_check_dma_unmap(const void *payload, size_t bytes, struct vfio_user_dma_unmap *unmap);

/** vfio_check_device_info - a question about the device */
int vfio_check_device_info(const void *payload, size_t bytes);

/** vfio_check_region_info - a question about a region, @index < VFIO_USER_REGION_COUNT */
int vfio_check_region_info(const void *payload, size_t bytes, uint32_t *index);

/** vfio_check_irq_info - a question about interrupts, @index < VFIO_USER_IRQ_INDICES */
int vfio_check_irq_info(const void *payload, size_t bytes, uint32_t *index);

/**
 * vfio_check_irq_set - a change of interrupts
 * @fds: number of descriptors with the message
 * @msi: whether the function has MSI and MSI-X
 */
int vfio_check_irq_set(const void *payload, size_t bytes, unsigned int fds, bool msi,
		       struct vfio_irq_request *request);

/**
 * vfio_check_access - an access to a region
 * @write: the access is a write, whose data follows
 *
 * Accesses to BAR0 have the size of a register and are aligned; those to configuration space end
 * inside it.
 */
int vfio_check_access(const void *payload, size_t bytes, bool write,
		      struct vfio_user_access *access);

/** vfio_check_small_writes - several writes, each of which vfio_check_access() permits */
int vfio_check_small_writes(const void *payload, size_t bytes, struct vfio_small_writes *writes);

#endif
