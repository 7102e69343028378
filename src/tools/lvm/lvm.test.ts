import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { extendVolume, growFileSystem } from './extend.ts'
import { standInLvm, type StandInLvm } from './testing/stand-in.ts'

const gib = 1024 ** 3

interface Machine {
  readonly files: Files
  readonly lvm: StandInLvm
}

const machine = (t: Parameters<typeof scratchRoot>[0]): Machine => ({
  files: openFiles(scratchRoot(t)),
  lvm: standInLvm(),
})
const runOf = ({ lvm }: Machine) => scriptedRun(lvm.script).run

proveStep<Machine>('lvm.extend-volume', {
  machine,
  open: (on, door) => extendVolume({ files: on.files, run: door({ run: runOf(on) }).run }),
  look: ({ lvm }) => lvm.size / gib,
  withoutHandEdit: 'the step is final',
  cases: {
    'by two GiB': {
      args: { path: '/dev/vg0/root', size: '+2G' },
      wanted: 12,
      repeats: 'each act takes the space once more',
    },
    'to all free space': {
      args: { path: '/dev/vg0/root', size: '100%FREE' },
      wanted: 20,
      callsAsIn: 'by two GiB',
    },
  },
})

proveStep<Machine>('lvm.grow-file-system', {
  machine,
  open: (on, door) => growFileSystem({ run: door({ run: runOf(on) }).run }),
  look: ({ lvm }) => lvm.grown / gib,
  withoutHandEdit: 'the step is final',
  cases: {
    ext4: {
      arrange: ({ lvm }) => void (lvm.size = 15 * gib),
      args: { path: '/dev/vg0/root', mount: '/', file_system: 'ext4' },
      wanted: 15,
    },
  },
})
