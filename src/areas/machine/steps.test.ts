import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { setServerName } from './set-server-name.ts'
import { setTimeZone } from './set-time-zone.ts'

interface Machine {
  readonly root: string
  readonly run: Run
}

const textOf = (root: string, path: string) => {
  const stat = lstatSync(root + path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : readFileSync(root + path, 'utf8')
}

const hosts = '127.0.0.1 localhost\n127.0.1.1 old\n'

/** The kernel's name is a file of the scratch host, which `hostname` writes. */
async function namedMachine(root: string): Promise<Machine> {
  mkdirSync(`${root}/proc/sys/kernel`, { recursive: true })
  mkdirSync(`${root}/etc`, { recursive: true })
  await writeFile(`${root}/proc/sys/kernel/hostname`, 'old\n')
  await writeFile(`${root}/etc/hostname`, 'old\n')
  await writeFile(`${root}/etc/hosts`, hosts)
  const run: Run = async (argv) => {
    await writeFile(`${root}/proc/sys/kernel/hostname`, `${argv.at(-1)}\n`)
    return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 1 }
  }
  return { root, run }
}

const lookAtName = ({ root }: Machine) => ({
  kernel: textOf(root, '/proc/sys/kernel/hostname'),
  stored: textOf(root, '/etc/hostname'),
  hosts: textOf(root, '/etc/hosts'),
})
const web1 = { kernel: 'web1\n', stored: 'web1\n', hosts: '127.0.0.1 localhost\n127.0.1.1 web1\n' }

proveStep<Machine>('machine.set-name', {
  machine: (t) => namedMachine(scratchRoot(t)),
  open: ({ root, run }, door) => setServerName({ files: door(openFiles(root)), run: door(run) }),
  look: lookAtName,
  cases: {
    'another name': {
      args: { name: 'web1' },
      wanted: web1,
      handEdit: ({ root }) => writeFile(`${root}/etc/hostname`, 'by-hand\n'),
    },
    'a first name': {
      arrange: async ({ root }) => {
        await writeFile(`${root}/proc/sys/kernel/hostname`, 'localhost\n')
        await writeFile(`${root}/etc/hosts`, '127.0.0.1 localhost\n')
      },
      args: { name: 'web1' },
      wanted: { ...web1, hosts: '127.0.0.1 localhost\n127.0.1.1\tweb1\n' },
    },
  },
})

/** `ln` and `readlink`, as far as the step uses them. */
const linking: Run = async (argv) => {
  const [target = '', path = ''] = argv.slice(-2)
  if (argv[0] === 'ln') {
    rmSync(path, { force: true })
    symlinkSync(target, path)
  }
  const stdout = argv[0] === 'readlink' ? `${readlinkSync(path)}\n` : ''
  return { code: 0, stdout, stderr: '', isCut: false, durationMs: 1 }
}

const zone = (name: string) => `/usr/share/zoneinfo/${name}`

proveStep<Machine>('machine.set-time-zone', {
  machine: (t) => {
    const root = scratchRoot(t)
    mkdirSync(`${root}/etc`)
    return { root, run: linking }
  },
  open: ({ root, run }, door) => setTimeZone({ files: door(openFiles(root)), run: door(run) }),
  look: ({ root }) => ({
    target:
      lstatSync(`${root}/etc/localtime`, { throwIfNoEntry: false }) && readlinkSync(`${root}/etc/localtime`),
    stored: textOf(root, '/etc/timezone'),
  }),
  cases: {
    'a first zone': {
      args: { zone: 'Europe/Berlin' },
      wanted: { target: zone('Europe/Berlin'), stored: 'Europe/Berlin\n' },
    },
    'another zone': {
      arrange: async ({ root }) => {
        symlinkSync(zone('Etc/UTC'), `${root}/etc/localtime`)
        await writeFile(`${root}/etc/timezone`, 'Etc/UTC\n')
      },
      args: { zone: 'Asia/Tokyo' },
      wanted: { target: zone('Asia/Tokyo'), stored: 'Asia/Tokyo\n' },
      handEdit: ({ root }) => writeFile(`${root}/etc/timezone`, 'Asia/Seoul\n'),
    },
  },
})
