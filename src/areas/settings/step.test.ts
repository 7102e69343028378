import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles } from '../../host/files.ts'
import { editSettings } from './step.ts'

const path = '/config.toml'
const former = '# mine\nport = 1 # one\nmetrics_token = "before it"\n'

const edited = (root: string, from: string, to: string) => {
  const file = `${root}${path}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}
const write = (root: string) => writeFileSync(`${root}${path}`, former, { mode: 0o640 })

proveStep<string>('settings.edit', {
  machine: (t) => scratchRoot(t),
  open: (root, door) => editSettings(door(openFiles(root))),
  look: (root) => {
    const facts = statSync(`${root}${path}`, { throwIfNoEntry: false })
    return facts ? [facts.mode & 0o777, readFileSync(`${root}${path}`, 'utf8')] : null
  },
  cases: {
    'sets, adds and removes values': {
      args: { path, literals: { port: '2', tls: '"on"', metrics_token: null } },
      arrange: write,
      wanted: [0o640, '# mine\nport = 2 # one\ntls = "on"\n'],
      handEdit: (root) => edited(root, '# mine', '# ours'),
      onTop: [0o640, '# ours\nport = 2 # one\ntls = "on"\n'],
      refusedAfter: (root) => edited(root, 'port = 1', 'port = '),
    },
    'makes a new file that only its owner can read': {
      args: { path, literals: { port: '2' } },
      arrange: (root) => rmSync(`${root}${path}`, { force: true }),
      wanted: [0o600, 'port = 2\n'],
    },
  },
})
