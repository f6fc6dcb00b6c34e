/* SPDX-License-Identifier: MIT */
/* Files with rings: where they are made, who may read them, which are of programs that run. */

#include <gtest/gtest.h>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "vivgpu_group_file.h"
#include "vivgpu_group_reader.h"

/* What another process does just before this one locks a file */
static std::function<void()> before_lock;

/* In place of libc's: the only call that vivgpu_group_file.c makes to lock its file */
extern "C" int
flock(int fd, int operation) noexcept
{
   if ((operation & LOCK_EX) && before_lock)
      std::exchange(before_lock, nullptr)();
   return (int)syscall(SYS_flock, fd, operation);
}

class group_file_test : public testing::Test {
 protected:
   void SetUp() override
   {
      char name[] = "/tmp/vivgpu-test-XXXXXX";

      ASSERT_NE(mkdtemp(name), nullptr);
      folder = name;
      setenv("XDG_RUNTIME_DIR", name, 1);
   }

   void TearDown() override
   {
      before_lock = nullptr;
      vivgpu_group_file_close(&file);
      std::filesystem::remove_all(folder);
   }

   int create(const std::string &where)
   {
      return vivgpu_group_file_create(&file, where.c_str(), 4096, &error);
   }

   static unsigned mode(const std::string &path)
   {
      struct stat stat = {};

      lstat(path.c_str(), &stat);
      return stat.st_mode & 07777;
   }

   std::string own_name() const { return std::to_string(getpid()) + VIVGPU_GROUP_FILE_END; }

   unsigned num_files() const
   {
      unsigned count = 0;

      for (auto &entry : std::filesystem::directory_iterator(folder))
         count += entry.path().extension() == VIVGPU_GROUP_FILE_END;
      return count;
   }

   std::string folder;
   struct vivgpu_group_file file = {};
   const char *error = nullptr;

   group_file_test() { file.fd = -1; }
};

TEST(group_file, rings_have_sizes_that_readers_accept)
{
   EXPECT_EQ(vivgpu_group_file_ring(nullptr), VIVGPU_GROUP_FILE_RING);
   EXPECT_EQ(vivgpu_group_file_ring("much"), VIVGPU_GROUP_FILE_RING);
   EXPECT_EQ(vivgpu_group_file_ring("0"), VIVGPU_GROUP_FILE_RING);
   EXPECT_EQ(vivgpu_group_file_ring("1"), 1u << 20);
   EXPECT_EQ(vivgpu_group_file_ring("3"), 4u << 20);
   EXPECT_EQ(vivgpu_group_file_ring("64"), VIVGPU_GROUP_MAX_RING);
   EXPECT_EQ(vivgpu_group_file_ring("65"), VIVGPU_GROUP_MAX_RING);
   EXPECT_EQ(vivgpu_group_file_ring("1024"), VIVGPU_GROUP_MAX_RING);
   EXPECT_EQ(vivgpu_group_file_ring("-1"), VIVGPU_GROUP_MAX_RING);
}

TEST_F(group_file_test, the_users_folder_and_file_are_the_users_alone)
{
   ASSERT_EQ(create("1"), 0);
   EXPECT_EQ(mode(folder + "/vivgpu"), 0700u);
   EXPECT_EQ(mode(folder + "/vivgpu/" + own_name()), 0600u);
   EXPECT_EQ(file.ring.header->process, (uint32_t)getpid());
   EXPECT_GT(file.ring.header->started_ns, 0u);
}

/* Else a full file system would end the program at a write to the ring. */
TEST_F(group_file_test, all_of_the_file_is_allocated)
{
   struct stat stat = {};

   ASSERT_EQ(create("1"), 0);
   ASSERT_EQ(fstat(file.fd, &stat), 0);
   EXPECT_EQ((size_t)stat.st_size, file.bytes);
   EXPECT_GE((size_t)stat.st_blocks * 512, file.bytes);
}

TEST_F(group_file_test, a_file_that_is_too_large_is_not_made)
{
   const struct rlimit limit = {65536, 65536};
   pid_t child = fork();

   ASSERT_GE(child, 0);
   if (!child) {
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &limit);
      _exit(create("1") == -EFBIG && !strcmp(error, "memory") &&
                  !std::filesystem::exists(folder + "/vivgpu/" + own_name())
               ? 0
               : 1);
   }
   int status = 1;

   ASSERT_EQ(waitpid(child, &status, 0), child);
   EXPECT_EQ(status, 0);
}

TEST_F(group_file_test, a_folder_that_others_may_enter_is_refused)
{
   ASSERT_EQ(mkdir((folder + "/vivgpu").c_str(), 0755), 0);
   ASSERT_EQ(chmod((folder + "/vivgpu").c_str(), 0755), 0);
   EXPECT_EQ(create("1"), -EPERM);
   EXPECT_STREQ(error, "folder");
}

TEST_F(group_file_test, a_link_for_the_folder_is_refused)
{
   ASSERT_EQ(mkdir((folder + "/elsewhere").c_str(), 0700), 0);
   ASSERT_EQ(symlink("elsewhere", (folder + "/vivgpu").c_str()), 0);
   EXPECT_EQ(create("1"), -EPERM);
}

TEST_F(group_file_test, a_link_for_the_file_is_not_followed)
{
   ASSERT_EQ(symlink("victim", (folder + "/link").c_str()), 0);
   EXPECT_LT(create(folder + "/link"), 0);
   EXPECT_NE(access((folder + "/victim").c_str(), F_OK), 0);
}

TEST_F(group_file_test, a_path_may_name_a_folder_or_a_file)
{
   ASSERT_EQ(create(folder), 0);
   EXPECT_EQ(access((folder + "/" + own_name()).c_str(), F_OK), 0);
   vivgpu_group_file_close(&file);
   ASSERT_EQ(create(folder + "/mine"), 0);
   EXPECT_EQ(mode(folder + "/mine"), 0600u);
}

TEST_F(group_file_test, a_file_that_is_written_is_not_taken)
{
   struct vivgpu_group_file second;

   ASSERT_EQ(create(folder + "/mine"), 0);
   EXPECT_EQ(vivgpu_group_file_create(&second, (folder + "/mine").c_str(), 4096, &error), -EBUSY);
   vivgpu_group_file_close(&file);
   ASSERT_EQ(vivgpu_group_file_create(&second, (folder + "/mine").c_str(), 4096, &error), 0);
   vivgpu_group_file_close(&second);
}

/* Another program that looks for old files while this one makes its file finds none to remove. */
TEST_F(group_file_test, a_file_that_is_about_to_be_locked_is_not_removed)
{
   unsigned called = 0;

   before_lock = [&] {
      vivgpu_group_folder_prune(folder.c_str(), 0);
      called++;
   };
   ASSERT_EQ(create(folder), 0);
   EXPECT_EQ(called, 1u);
   EXPECT_EQ(num_files(), 1u);
}

/* Another program is just about to test each file, which takes a shared lock. */
TEST_F(group_file_test, a_file_that_is_tested_can_be_made)
{
   std::vector<int> fds;

   before_lock = [&] {
      for (auto &entry : std::filesystem::directory_iterator(folder)) {
         if (entry.path().extension() != VIVGPU_GROUP_FILE_END)
            continue;
         fds.push_back(open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
         syscall(SYS_flock, fds.back(), LOCK_SH);
      }
   };
   ASSERT_EQ(create(folder), 0);
   EXPECT_EQ(before_lock, nullptr);
   EXPECT_EQ(num_files(), 1u);
   for (int fd : fds)
      close(fd);
}

/* A file that another program made after this one had looked is left to it. */
TEST_F(group_file_test, of_two_programs_with_one_path_the_second_gets_no_file)
{
   std::string path = folder + "/mine" VIVGPU_GROUP_FILE_END;
   struct vivgpu_group_file first;

   before_lock = [&] {
      ASSERT_EQ(vivgpu_group_file_create(&first, path.c_str(), 4096, &error), 0);
   };
   EXPECT_EQ(create(path), -EBUSY);
   EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
   vivgpu_group_file_close(&first);
   EXPECT_EQ(create(path), 0);
}

/* A program that is killed: its groups stay, and its file counts as one of an ended program. */
TEST_F(group_file_test, groups_of_a_killed_program_can_be_read)
{
   std::string path = folder + "/child";
   pid_t pid = fork();

   if (pid == 0) {
      struct vivgpu_group group = {};

      if (create(path))
         _exit(1);
      group.sequence = 5;
      vivgpu_group_ring_write(&file.ring, &group, nullptr, 0);
      kill(getpid(), SIGKILL);
   }

   int status, fd;
   struct vivgpu_group_reader reader;
   struct vivgpu_group_item item;

   ASSERT_EQ(waitpid(pid, &status, 0), pid);
   ASSERT_TRUE(WIFSIGNALED(status));
   fd = open(path.c_str(), O_RDONLY);
   ASSERT_GE(fd, 0);
   EXPECT_FALSE(vivgpu_group_file_is_live(fd));
   ASSERT_EQ(vivgpu_group_reader_open(&reader, fd), 0);
   ASSERT_TRUE(vivgpu_group_reader_next(&reader, &item));
   EXPECT_EQ(item.group->sequence, 5u);
   vivgpu_group_reader_close(&reader);
   close(fd);
}

TEST_F(group_file_test, old_files_are_pruned_and_files_in_use_are_not)
{
   ASSERT_EQ(create(folder), 0);
   for (int i = 1; i <= 20; i++) {
      std::string path = folder + "/" + std::to_string(9000000 + i) + VIVGPU_GROUP_FILE_END;
      struct timespec times[2] = {{i, 0}, {i, 0}};

      close(open(path.c_str(), O_CREAT | O_WRONLY, 0600));
      ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
   }
   vivgpu_group_folder_prune(folder.c_str(), 3);
   EXPECT_EQ(num_files(), 4u);
   EXPECT_EQ(access((folder + "/9000020" VIVGPU_GROUP_FILE_END).c_str(), F_OK), 0);
   EXPECT_NE(access((folder + "/9000017" VIVGPU_GROUP_FILE_END).c_str(), F_OK), 0);
   EXPECT_EQ(access((folder + "/" + own_name()).c_str(), F_OK), 0);
}
