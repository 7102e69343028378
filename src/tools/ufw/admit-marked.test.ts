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

const [four, six] = ['ufw-before-input', 'ufw6-before-input'] as const

interface Machine {
  readonly root: string
  readonly files: Files
  readonly run: Run
  /** The rules of each chain in the kernel. */
  readonly loaded: Map<string, string[]>
  readonly refusal: { text: string }
}

const textOf = (root: string) => readFileSync(`${root}/etc/ufw/before.rules`, 'utf8')

function machine(root: string): Machine {
  placeUfw(root)
  const loaded = new Map<string, string[]>(
    [four, six].map((chain) => [chain, [`-A ${chain} -i lo -j ACCEPT`]]),
  )
  const refusal = { text: '' }
  const { run } = scriptedRun(([program, verb, chain = '', ...rest]) => {
    if (program !== 'iptables' && program !== 'ip6tables') return undefined
    const rules = loaded.get(chain)
    if (rules === undefined) return { code: 1, stderr: 'No chain' }
    if (verb === '-S') return { stdout: [`-N ${chain}`, ...rules, ''].join('\n') }
    if (refusal.text !== '') return { code: 1, stderr: refusal.text }
    const rule = ['-A', chain, ...rest].join(' ')
    if (verb === '-I') rules.unshift(rule)
    else rules.splice(rules.indexOf(rule), 1)
    return {}
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
  [...loaded.values()].map(([first]) => first?.includes('--mark')),
]
const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const mine = '# mine\n'

proveStep<Machine>('ufw.admit-marked', {
  skip,
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => admitMarked({ files: door(files), run: door(run) }),
  look,
  cases: {
    'a line': {
      args: { isAdmitted: true },
      wanted: [admitting(four), admitting(six), [true, true]],
      handEdit: ({ root }) => appendFileSync(`${root}/etc/ufw/before.rules`, mine),
      onTop: [admitting(four) + mine, admitting(six), [true, true]],
    },
    'no line any more': {
      arrange: async ({ files, run }) => {
        const kind = admitMarked({ files, run })
        await kind.act({ isAdmitted: true }, stepRun(await kind.observe({ isAdmitted: true })))
      },
      args: { isAdmitted: false },
      wanted: [beforeRules(four), beforeRules(six), [false, false]],
      callsAsIn: 'a line',
    },
  },
})

test('quotes iptables, and says what is missing', { skip }, async (t) => {
  const { root, files, run, refusal } = machine(scratchRoot(t))
  const kind = admitMarked({ files, run })
  const act = async () => kind.act({ isAdmitted: true }, stepRun(await kind.observe({ isAdmitted: true })))
  refusal.text = 'iptables: Operation not supported'
  await assert.rejects(act(), /Operation not supported/)
  await files.write('/etc/ufw/before.rules', '*filter\nCOMMIT\n')
  await assert.rejects(act(), /no rule of ufw-before-input was found/)
  assert.equal(textOf(root), '*filter\nCOMMIT\n')
})
