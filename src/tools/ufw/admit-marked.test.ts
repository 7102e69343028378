import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { admitMarked } from './admit-marked.ts'
import { beforeRules, placeUfw } from './testing/stand-in.ts'

interface Machine {
  readonly root: string
  readonly files: Files
  readonly run: Run
  /** What ufw has loaded. */
  readonly loaded: { text: string }
  readonly refusal: { text: string }
}

const textOf = (root: string) => readFileSync(`${root}/etc/ufw/before.rules`, 'utf8')

function machine(root: string): Machine {
  placeUfw(root)
  const loaded = { text: textOf(root) }
  const refusal = { text: '' }
  const { run } = scriptedRun(([program, ...args]) => {
    if (program === 'iptables') return { stdout: `-N ${args[1]}\n${loaded.text}` }
    if (program !== 'ufw') return undefined
    if (refusal.text !== '') return { code: 1, stderr: refusal.text }
    loaded.text = textOf(root)
    return { stdout: 'Firewall reloaded\n' }
  })
  return { root, files: openFiles(root), run, loaded, refusal }
}

const lineIn = (chain: string) =>
  `-A ${chain} -m mark --mark 0x10000000/0x10000000 -m comment --comment hostreeve -j ACCEPT\n`
const admitting = (chain: string) =>
  beforeRules(chain).replace(`-A ${chain} `, `${lineIn(chain)}-A ${chain} `)
const look = async ({ files, loaded }: Machine) => [
  await files.read('/etc/ufw/before.rules'),
  await files.read('/etc/ufw/before6.rules'),
  loaded.text,
]
const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const [four, six] = ['ufw-before-input', 'ufw6-before-input'] as const
const mine = '# mine\n'

proveStep<Machine>('ufw.admit-marked', {
  skip,
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => admitMarked({ files: door(files), run: door(run) }),
  look,
  cases: {
    'a line': {
      args: { isAdmitted: true },
      wanted: [admitting(four), admitting(six), admitting(four)],
      handEdit: ({ root }) => appendFileSync(`${root}/etc/ufw/before.rules`, mine),
      onTop: [admitting(four) + mine, admitting(six), admitting(four) + mine],
    },
    'no line any more': {
      arrange: async ({ files, run }) => {
        const kind = admitMarked({ files, run })
        await kind.act({ isAdmitted: true }, stepRun(await kind.observe({ isAdmitted: true })))
      },
      args: { isAdmitted: false },
      wanted: [beforeRules(four), beforeRules(six), beforeRules(four)],
      callsAsIn: 'a line',
    },
  },
})

test('quotes ufw, and says what is missing', { skip }, async (t) => {
  const { root, files, run, refusal } = machine(scratchRoot(t))
  const kind = admitMarked({ files, run })
  const act = async () => kind.act({ isAdmitted: true }, stepRun(await kind.observe({ isAdmitted: true })))
  refusal.text = 'ERROR: problem running ufw-init'
  await assert.rejects(act(), /problem running ufw-init/)
  await files.write('/etc/ufw/before.rules', '*filter\nCOMMIT\n')
  await assert.rejects(act(), /no rule of ufw-before-input was found/)
  assert.equal(textOf(root), '*filter\nCOMMIT\n')
})
