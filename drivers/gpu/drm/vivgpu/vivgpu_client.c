// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients: the state that an open file shares with its jobs. A job can complete after its
 * file was closed, so a client is freed with the last of them.
 */

#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <drm/vivgpu_drm.h>

#include "vivgpu_client.h"
#include "vivgpu_device.h"
#include "vivgpu_fence.h"
#include "vivgpu_mmu.h"
#include "vivgpu_stream.h"
#include "vivgpu_stretch.h"

/*
 * DMA memory and page tables are freed before the client is removed from the list, and both
 * under owners_lock: vivgpu_client_revoke_all() takes it during unbind and so waits until the
 * memory is freed. The file or module_ref still holds a reference on the DRM device.
 */
static void vivgpu_client_release(struct kref *ref)
{
	struct vivgpu_client *client = container_of(ref, struct vivgpu_client, ref);
	struct vivgpu_device *vdev = client->vdev;

	mutex_lock(&vdev->owners_lock);
	vivgpu_cmd_fini(&client->cmd);
	vivgpu_vm_put(client->vm);
	vivgpu_record_client(client, DRM_VIVGPU_RECORD_CLIENT_CLOSE);
	vivgpu_stretch_rare(VIVGPU_STRETCH_CLIENT_RELEASE);
	list_del(&client->link);
	mutex_unlock(&vdev->owners_lock);
	vivgpu_module_ref_put(client->module_ref);
	put_pid(client->pid);
	xa_destroy(&client->fences);
	kfree(client);
}

/**
 * vivgpu_client_put - drop a reference on a client
 * @client: the client
 */
void vivgpu_client_put(struct vivgpu_client *client)
{
	kref_put(&client->ref, vivgpu_client_release);
}

/**
 * vivgpu_client_revoke_all - free the DMA memory and page tables of all clients
 * @vdev: the device, unplugged; all jobs have completed or failed
 *
 * Files may stay open after the device was unbound. Their clients then hold nothing that was
 * allocated or mapped for the device.
 */
void vivgpu_client_revoke_all(struct vivgpu_device *vdev)
{
	struct vivgpu_client *client;

	mutex_lock(&vdev->owners_lock);
	list_for_each_entry(client, &vdev->clients, link) {
		vivgpu_cmd_revoke(&client->cmd);
		vivgpu_vm_revoke(client->vm);
	}
	mutex_unlock(&vdev->owners_lock);
}

/* Add a client to the device's list; -ENODEV if the device was unbound. */
static int vivgpu_client_add(struct vivgpu_device *vdev, struct vivgpu_client *client)
{
	int ret = 0;

	mutex_lock(&vdev->owners_lock);
	if (vdev->gone) {
		ret = -ENODEV;
	} else {
		list_add_tail(&client->link, &vdev->clients);
		vivgpu_record_client(client, DRM_VIVGPU_RECORD_CLIENT_OPEN);
	}
	mutex_unlock(&vdev->owners_lock);
	return ret;
}

/**
 * vivgpu_client_create - create a client with an address space of its own
 * @vdev: the device
 * @id: its number, the drm-client-id of fdinfo
 *
 * Return: the client or an error pointer.
 */
struct vivgpu_client *vivgpu_client_create(struct vivgpu_device *vdev, u64 id)
{
	struct vivgpu_client *client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!client)
		return ERR_PTR(-ENOMEM);

	client->vm = vivgpu_vm_create(vdev);
	if (IS_ERR(client->vm)) {
		ret = PTR_ERR(client->vm);
		goto err_free;
	}

	kref_init(&client->ref);
	spin_lock_init(&client->reported_lock);
	xa_init_flags(&client->fences, XA_FLAGS_ALLOC1);
	client->vdev = vdev;
	client->id = id;
	client->opened_ns = ktime_get_ns();
	client->pid = get_pid(task_tgid(current));
	get_task_comm(client->name, current->group_leader);
	vivgpu_cmd_init(&client->cmd, client->vm);
	ret = vivgpu_client_add(vdev, client);
	if (ret)
		goto err_vm;

	return client;

err_vm:
	put_pid(client->pid);
	vivgpu_cmd_fini(&client->cmd);
	vivgpu_vm_put(client->vm);
err_free:
	kfree(client);
	return ERR_PTR(ret);
}
