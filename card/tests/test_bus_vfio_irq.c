// SPDX-License-Identifier: MIT
/* Interrupts to a vfio-user client. */
#include "tests/vfio_client.h"

#define INTX VFIO_PCI_INTX_IRQ_INDEX
#define MSI VFIO_PCI_MSI_IRQ_INDEX
#define MSIX VFIO_PCI_MSIX_IRQ_INDEX

static int unmask(void)
{
	return set_irqs(INTX, 0, 1, VFIO_IRQ_SET_ACTION_UNMASK | VFIO_IRQ_SET_DATA_NONE, NULL, 0);
}

/* The level is reported once, and again after each unmasking while it is active. */
TEST(intx_is_a_level)
{
	int fd = new_eventfd();

	begin(false);
	enable_memory();
	CHECK_EQ(set_eventfd(INTX, 0, fd), 0);
	CHECK_EQ(signals(fd), 0);
	write_register(0, 1);
	CHECK_EQ(signals(fd), 1);
	CHECK(read_config(PCI_STATUS, 2) & PCI_STATUS_INTERRUPT);
	write_register(0, 0);
	write_register(0, 1); /* while masked */
	CHECK_EQ(signals(fd), 0);
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 1);
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 1);
	write_register(0, 0);
	CHECK(!(read_config(PCI_STATUS, 2) & PCI_STATUS_INTERRUPT));
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 0);
	write_register(0, 1);
	CHECK_EQ(signals(fd), 1);
	close(fd);
	unplug();
}

TEST(intx_and_its_enables)
{
	int fd = new_eventfd();

	begin(false);
	enable_memory();
	write_register(0, 1); /* before there is an eventfd */
	CHECK_EQ(set_eventfd(INTX, 0, fd), 0);
	CHECK_EQ(signals(fd), 1);
	write_register(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 0);
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 0);
	write_register(BOARD_REGS_BASE + BOARD_IRQ_ENABLE, 1);
	CHECK_EQ(signals(fd), 1);
	write_config(PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_INTX_DISABLE);
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 0);
	write_config(PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
	CHECK_EQ(signals(fd), 1);
	CHECK_EQ(set_irqs(INTX, 0, 1, VFIO_IRQ_SET_ACTION_MASK | VFIO_IRQ_SET_DATA_NONE, NULL, 0),
		 0);
	write_register(0, 0);
	write_register(0, 1);
	CHECK_EQ(signals(fd), 0);
	CHECK_EQ(unmask(), 0);
	CHECK_EQ(signals(fd), 1);
	CHECK_EQ(
		set_irqs(INTX, 0, 0, VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_NONE, NULL, 0),
		0);
	write_register(0, 0);
	write_register(0, 1);
	CHECK_EQ(signals(fd), 0);
	close(fd);
	unplug();
}

TEST(msix_vectors)
{
	int fds[2] = { new_eventfd(), new_eventfd() };

	begin(false);
	enable_memory();
	write_config(PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	write_register(0, 1); /* pending until the vector has an eventfd */
	CHECK_EQ(set_irqs(MSIX, 0, 2, VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD, fds,
			  2),
		 0);
	CHECK_EQ(signals(fds[0]), 1);
	CHECK_EQ(signals(fds[1]), 0);
	write_register(0, 0);
	write_register(0, 1);
	CHECK_EQ(signals(fds[0]), 1); /* an edge needs no unmasking */
	CHECK_EQ(set_eventfd(MSIX, 0, -1), 0);
	write_register(0, 0);
	write_register(0, 1);
	CHECK_EQ(signals(fds[0]), 0);
	CHECK_EQ(set_eventfd(MSIX, 0, fds[0]), 0);
	CHECK_EQ(signals(fds[0]), 1);
	CHECK_EQ(
		set_irqs(MSIX, 1, 1, VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_NONE, NULL, 0),
		0);
	CHECK_EQ(signals(fds[1]), 1); /* the client itself triggers it */
	close(fds[0]);
	close(fds[1]);
	unplug();
}

TEST(msi)
{
	int msi = new_eventfd(), intx = new_eventfd();

	begin(false);
	enable_memory();
	CHECK_EQ(set_eventfd(INTX, 0, intx), 0);
	CHECK_EQ(set_eventfd(MSI, 0, msi), 0);
	write_config(PCI_CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_ENABLE);
	write_register(0, 1);
	CHECK_EQ(signals(msi), 1);
	CHECK_EQ(signals(intx), 0);
	close(msi);
	close(intx);
	unplug();
}

TEST(descriptors_of_interrupts)
{
	int pipe_fds[2], fds[3] = { new_eventfd(), new_eventfd(), new_eventfd() };

	begin(false);
	CHECK_EQ(pipe(pipe_fds), 0);
	CHECK_EQ(set_eventfd(INTX, 0, pipe_fds[1]), EINVAL); /* not an eventfd */
	CHECK_EQ(set_eventfd(INTX, 0, ram_fd), EINVAL);
	CHECK_EQ(set_irqs(MSIX, 0, 2, VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD, fds,
			  3),
		 EINVAL);
	CHECK_EQ(ask_with(VFIO_USER_DEVICE_RESET, "", 0, fds, 1), EINVAL);
	CHECK(!dropped());
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	for (unsigned int i = 0; i < 3; i++)
		close(fds[i]);
	unplug();
}

int main(void)
{
	int status;

	if (!make_folder())
		return 1;
	status = test_all();
	rmdir(folder);
	return status;
}
