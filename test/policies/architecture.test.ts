import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as architecture from './architecture.ts'
import { isProduct, type Source, sourceOf, sources } from './sources.ts'

const all = sources()
const product = all.filter(isProduct)
const file = (path: string, text: string): readonly Source[] => [sourceOf(path, text)]

/** The most `any` and `as` outside core/: lower these numbers with the code, and never raise them without a reason beside. */
const assertions = { any: 30, as: 110 }

const rules: readonly (readonly [string, architecture.Rule, readonly Source[], ...(readonly Source[])[]])[] =
  [
    [
      'imports one way',
      architecture.importsOneWay,
      product,
      file('src/core/x.ts', "import { a } from '../store/store.ts'"),
      file('src/host/x.ts', "export type { A } from '../tools/nginx/a.ts'"),
      file('src/surfaces/http/x.ts', "type A = import('../../store/store.ts').Store"),
    ],
    [
      'enters an area by its index',
      architecture.entersAreasByTheirIndex,
      product,
      file('src/areas/users/x.ts', "import { a } from '../auth/tokens.ts'"),
      file('src/app/x.ts', "import { a } from '../areas/auth/tokens.ts'"),
    ],
    [
      'names in uses what an area imports',
      architecture.namesWhatItUses,
      product,
      [
        ...file('src/areas/users/x.ts', "import { auth } from '../auth/index.ts'"),
        ...file('src/areas/users/area.ts', 'uses: [jobs]'),
      ],
    ],
    [
      'has no circle of areas',
      architecture.hasNoCycles,
      product,
      [
        ...file('src/areas/a/x.ts', "import { b } from '../b/index.ts'"),
        ...file('src/areas/b/x.ts', "import { a } from '../a/index.ts'"),
      ],
    ],
    [
      'has no cycle of files',
      architecture.hasNoFileCycles,
      product,
      [
        ...file('src/tools/a/index.ts', "import { step } from './step.ts'"),
        ...file('src/tools/a/step.ts', "import type { Parts } from './index.ts'"),
      ],
      [
        ...file('src/host/a.ts', "export { b } from './b.ts'"),
        ...file('src/host/b.ts', "type C = import('./c.ts').C"),
        ...file('src/host/c.ts', "import type { A } from './a.ts'"),
      ],
      [
        ...file('src/changes/a.ts', "import { b } from '../store/b.ts'"),
        ...file('src/store/b.ts', "import type { A } from '../changes/a.ts'"),
      ],
    ],
    [
      'reaches the machine by its doors',
      architecture.reachesMachineByItsDoors,
      product,
      file('src/areas/users/x.ts', "import { spawn } from 'node:child_process'"),
      file('src/changes/x.ts', "import { readFile } from 'node:fs/promises'"),
    ],
    [
      'runs no shell',
      architecture.runsNoShell,
      product,
      file('src/a.ts', "exec('ls')"),
      file('src/a.ts', 'spawn(x, { shell: true })'),
      file('src/a.ts', "run(['/bin/sh', '-c', text])"),
      file('src/a.ts', 'eval(text)'),
    ],
    [
      'registers hooks of tests in test files',
      architecture.registersHooksInTestFiles,
      all,
      file('src/areas/users/testing/home.ts', 'after(() => home.remove())'),
    ],
    [
      'keeps SQL in its place',
      architecture.keepsSqlInItsPlace,
      product,
      file('src/areas/users/users.ts', "db.selectFrom('users')"),
    ],
    [
      'declares each lock once',
      architecture.declaresEachLockOnce,
      product,
      [
        ...file('src/areas/a/x.ts', "const boxLock = lock('box')"),
        ...file('src/areas/b/x.ts', "const boxLock = lock<[a: string]>('box')"),
      ],
    ],
    [
      'has names that tell',
      architecture.hasTellingNames,
      product,
      file('src/core/utils.ts', ''),
      file('src/helpers/a.ts', ''),
      file('src/a.ts', 'export class UserManager {}'),
    ],
    [
      'keeps what only tests use in folders named testing',
      architecture.keepsTestCodeInTesting,
      all,
      [...file('src/a.ts', ''), ...file('src/a.test.ts', "import { a } from './a.ts'")],
    ],
    [
      'hides no failure',
      architecture.hidesNoFailures,
      product,
      file('src/a.ts', 'endpoint({ throws: { ...listed, conflict: Taken } })'),
      file('src/a.ts', 'const changing: Readonly<Record<string, Failures>> = {\n  ...reading,\n}'),
      file('src/a.ts', 'const ofWriting = { ...ofReading, write_error: NotStored }'),
    ],
    [
      'names no place outside the product',
      architecture.namesNoStranger,
      all,
      file('src/a.ts', `'${['', 'work', 'main'].join('/')}'`),
    ],
  ]

describe('the source', () => {
  for (const [title, rule, checked] of rules) it(title, () => assert.deepEqual(rule(checked), []))

  it('asserts types no more often than it did', () => {
    const found = architecture.assertionsIn(product)
    assert.ok(found.any <= assertions.any && found.as <= assertions.as, `${found.any} any, ${found.as} as`)
  })

  it('has a reason for each cycle of files that is left, and needs each', () => {
    const left = architecture.cyclesOf(product).flat()
    for (const [path, reason] of Object.entries(architecture.cyclesLeft)) {
      assert.ok(reason.length > 10)
      assert.ok(
        left.some((each) => each.startsWith(path)),
        `${path} is in no cycle`,
      )
    }
  })

  it('has a reason for each door to the machine, and needs each', () => {
    for (const [path, reason] of Object.entries(architecture.machineDoors)) {
      assert.ok(reason.length > 10)
      const door = all.find((source) => source.path === path)
      assert.ok(
        door?.imports.some((target) => /^node:(?:fs|http|net)/.test(target)),
        `${path} is a door no more`,
      )
    }
  })
})

describe('the rule that the source', () => {
  const good = [
    ...file(
      'src/areas/users/area.ts',
      "import { auth } from '../auth/index.ts'\nexport const users = area({ uses: [auth] })",
    ),
    ...file(
      'src/areas/users/store.ts',
      "import { readPage } from '../../store/page.ts'\ndb.selectFrom('users')\n/x/.exec(text)",
    ),
    ...file('src/host/run.ts', "import { spawn } from 'node:child_process'"),
  ]
  for (const [title, rule, , ...examples] of rules) {
    it(`${title} passes a good example and fails each bad one`, () => {
      assert.deepEqual(rule(good), [])
      for (const [index, example] of examples.entries())
        assert.ok(rule(example).length > 0, `example ${index + 1} passes`)
    })
  }

  it('asserts few types counts any and as, but not in texts, comments, imports or core', () => {
    const counted = architecture.assertionsIn([
      ...file(
        'src/a.ts',
        "const a = b as string // as c\nconst d: any = 'x as y'\nimport { a as b } from 'c'\nconst e = [1] as const\n* as here",
      ),
      ...file('src/core/a.ts', 'const a = b as any'),
    ])
    assert.deepEqual(counted, { any: 1, as: 1 })
  })
})
