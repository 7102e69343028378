import assert from 'node:assert/strict'
import { it } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { openServices } from '../../host/services.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { missingControllers } from './controllers.ts'
import { renderSlice, setSlice } from './set-slice.ts'
import { readUsage } from './usage.ts'

const path = '/etc/systemd/system/user-1001.slice.d/hostreeve.conf'
const none = { cpuPercent: null, memoryMb: null, tasks: null }
const limited =
  '# Written by Hostreeve.\n[Slice]\nCPUQuota=150%\nMemoryMax=512M\nMemorySwapMax=0\nTasksMax=100\n'

async function machineOf(root: string): Promise<Host> {
  const host = openHost({ root, run: scriptedRun(scriptSystemd(new Map())).run })
  await host.files.makeDirectory('/run/systemd/system')
  return host
}
const put =
  (content: string) =>
  async ({ files }: Host) => {
    await files.makeDirectory('/etc/systemd/system/user-1001.slice.d')
    await files.write(path, content)
  }

proveStep<Host>('slices.set-limits', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ files, run }, door) =>
    setSlice({ files: door(files), services: openServices(door({ run }).run, files) }),
  look: async ({ files }) => (await files.read(path)) ?? null,
  cases: {
    'an account without limits': {
      args: { uid: 1001, cpuPercent: 150, memoryMb: 512, tasks: 100 },
      wanted: limited,
      handEdit: put('[Slice]\nTasksMax=1\n'),
    },
    'limits that end': {
      args: { uid: 1001, ...none },
      arrange: put(limited),
      wanted: null,
      handEdit: put('[Slice]\nTasksMax=1\n'),
    },
  },
})

it('writes only the limits that there are', () => {
  assert.equal(renderSlice(none), undefined)
  assert.equal(renderSlice({ ...none, tasks: 5 }), '# Written by Hostreeve.\n[Slice]\nTasksMax=5\n')
})

it('tells what the kernel does not count from what is not used', async (t) => {
  const show = (stdout: string) =>
    openHost({
      root: scratchRoot(t),
      run: scriptedRun(
        (argv) =>
          argv[1] === 'show' && argv.at(-1) === 'user-1001.slice'
            ? { stdout: `Id=user-1001.slice\n${stdout}` }
            : undefined,
        scriptSystemd(new Map()),
      ).run,
    })
  const read = async (stdout: string) => {
    const host = show(stdout)
    await host.files.makeDirectory('/run/systemd/system')
    return (await readUsage(host, [1001])).get(1001)
  }
  assert.deepEqual(await read('MemoryCurrent=1048576\nTasksCurrent=7\nCPUUsageNSec=1500000000\n'), {
    memoryBytes: 1_048_576,
    tasks: 7,
    cpuSeconds: 1.5,
  })
  assert.deepEqual(await read('MemoryCurrent=[not set]\nTasksCurrent=18446744073709551615\n'), {
    memoryBytes: null,
    tasks: null,
    cpuSeconds: null,
  })
})

it('names the controllers that are missing, in either hierarchy of the kernel', async (t) => {
  const { files } = openHost({ root: scratchRoot(t) })
  assert.deepEqual(await missingControllers(files), ['cpu', 'memory', 'pids'])
  await files.makeDirectory('/sys/fs/cgroup/memory')
  assert.deepEqual(await missingControllers(files), ['cpu', 'pids'])
  await files.write('/sys/fs/cgroup/cgroup.controllers', 'cpuset cpu io memory pids\n')
  assert.deepEqual(await missingControllers(files), [])
})
