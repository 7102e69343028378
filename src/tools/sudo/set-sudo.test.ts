import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { setSudo } from './set-sudo.ts'

interface Machine {
  readonly files: Files
  readonly members: Set<string>
  readonly run: Run
}

async function machine(root: string): Promise<Machine> {
  const files = openFiles(root)
  const members = new Set(['root'])
  await files.makeDirectory('/etc/sudoers.d')
  await files.write('/etc/sudoers', 'root ALL=(ALL:ALL) ALL\n@includedir /etc/sudoers.d\n')
  const answer = (code: number, stdout = '') => ({ code, stdout, stderr: '', isCut: false, durationMs: 1 })
  const run: Run = async (argv) => {
    if (argv[0] === 'visudo') return answer(0)
    if (argv[0] === 'getent')
      return argv.at(-1) === 'sudo' ? answer(0, `sudo:x:27:${[...members]}\n`) : answer(2)
    const [, verb, name = ''] = argv
    if (verb === '--add') members.add(name)
    return answer(verb === '--add' || members.delete(name) ? 0 : 3)
  }
  return { files, members, run }
}

const path = '/etc/sudoers.d/hostreeve-ada'
const line = 'ada ALL=(ALL:ALL) NOPASSWD: ALL'
const on = { username: 'ada', uid: 1000, isOn: true }
const give = async ({ files, members }: Machine) => {
  await files.write(path, `${line}\n`, { rights: { mode: 0o440 } })
  members.add('ada')
}

proveStep<Machine>('sudo.set', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => setSudo({ files: door(files), run: door(run) }),
  look: async ({ files, members }) => ({
    line: (await files.read(path))?.split('\n').at(-2),
    mode: (await files.facts(path))?.mode,
    members: [...members],
    names: await files.list('/etc/sudoers.d'),
  }),
  skip: process.getuid?.() !== 0 && 'only root can give files to root',
  cases: {
    'switched on': {
      args: on,
      wanted: { line, mode: 0o440, members: ['root', 'ada'], names: ['hostreeve-ada'] },
      handEdit: ({ files }) => files.write(path, 'ada ALL=/usr/bin/apt\n', { rights: { mode: 0o440 } }),
      onTop: { line, mode: 0o440, members: ['root', 'ada'], names: ['hostreeve-ada'] },
    },
    'switched off': {
      arrange: give,
      args: { ...on, isOn: false },
      wanted: { line: undefined, mode: undefined, members: ['root'], names: [] },
    },
    'switched off where it is off': {
      args: { ...on, isOn: false },
      wanted: { line: undefined, mode: undefined, members: ['root'], names: [] },
    },
  },
})
