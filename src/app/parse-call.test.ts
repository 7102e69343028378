import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commands } from './commands.ts'
import { options } from './commands/command.ts'
import { parseCall } from './parse-call.ts'

const kinds: Readonly<Record<string, { readonly type: string }>> = options
const given = (option: string): readonly string[] =>
  kinds[option]?.type === 'boolean' ? [`--${option}`] : [`--${option}`, 'value']
const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `argument${at}`)

describe('a call of the command line', () => {
  for (const [name, command] of Object.entries(commands)) {
    const form = command.usage.split(/ {2,}/)[0] ?? ''

    it(`${name} takes its arguments and options, and no others`, () => {
      const all = [...numbered(command.maxArguments), ...command.options.flatMap(given)]
      const parsed = parseCall([name, ...all])
      assert.ok(typeof parsed === 'object', String(parsed))
      assert.equal(parsed.command, command)
      assert.equal(parsed.call.positionals.length, command.maxArguments)
      assert.match(
        String(parseCall([name, ...numbered(command.maxArguments + 1)])),
        /^\S+ takes (no|at most)/,
      )
      for (const option of Object.keys(options)) {
        if (option === 'help' || command.options.some((each) => each === option)) continue
        assert.equal(
          parseCall([name, ...given(option)]),
          `${name} does not take --${option}: use hostreeve ${form}`,
        )
      }
    })

    it(`${name} names its options where help shows how it is called`, () => {
      const named = [...form.replace('-f FILE', '--file FILE').matchAll(/--([a-z]+)/g)].map(
        ([, option]) => option,
      )
      assert.deepEqual([...new Set(named)].toSorted(), [...command.options].toSorted())
    })
  }

  it('refuses what would be ignored', () => {
    for (const [args, message] of [
      [['export', '--output', 'F'], /^export does not take --output/],
      [['plan', '-f', 'F', '--yes'], /^plan does not take --yes/],
      [['verify', 'F', '--prune'], /^verify does not take --prune/],
      [['activity', 'export', 'F'], /^activity takes at most 1 argument/],
      [['serve', 'now'], /^serve takes no arguments/],
      [['plan', '--version'], /^plan does not take --version/],
      [['--json'], /^help does not take --json/],
      [['toString'], /^there is no command toString/],
    ] as const)
      assert.match(String(parseCall(args)), message)
  })

  it('shows help or the version instead', () => {
    for (const [args, name] of [
      [[], 'help'],
      [['--help'], 'help'],
      [['plan', '--help', '--yes'], 'help'],
      [['-h'], 'help'],
      [['--version'], 'version'],
    ] as const) {
      const parsed = parseCall(args)
      assert.equal(typeof parsed === 'object' && parsed.command, commands[name])
    }
  })

  it('reads the values of its options', () => {
    const parsed = parseCall(['apply', '-f', 'site.yaml', '--prune', '--yes'])
    assert.ok(typeof parsed === 'object')
    const { file, isPruning, isConfirmed, isJson } = parsed.call
    assert.deepEqual([file, isPruning, isConfirmed, isJson], ['site.yaml', true, true, false])
  })
})
