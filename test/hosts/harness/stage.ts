import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Run as a program in a mount namespace of its own: enters the host's control group, shows systemd-nspawn a pure version 2
// hierarchy whatever this machine mounts, and becomes systemd-nspawn. Doing it here leaves no moment outside the group.
const [cgroup, program, ...args] = process.argv.slice(2)
if (cgroup === undefined || program === undefined)
  throw new Error('usage: stage.ts CGROUP PROGRAM ARGUMENT...')
writeFileSync(join(cgroup, 'cgroup.procs'), String(process.pid))
execFileSync('umount', ['--recursive', '/sys/fs/cgroup'])
execFileSync('mount', ['-t', 'cgroup2', 'none', '/sys/fs/cgroup'])
process.execve?.(program, [program, ...args], process.env)
