import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { boundOf, type Figure, holds, shown } from '../test/bench/figures.ts'
import type { BenchPart } from '../test/bench/parts.ts'

/** A part of the bench with what was measured; no figures where a program was missing. */
export interface MeasuredPart extends Pick<BenchPart, 'against' | 'versions'> {
  readonly name: string
  readonly figures: readonly Figure[]
}

/** Where and when the figures were measured. */
export interface Occasion {
  readonly isShort: boolean
  /** The parts that failed. */
  readonly broken: readonly string[]
  readonly at: Date
  readonly machine: string
  readonly node: string
  /** Returns the first line that a command prints; undefined if it cannot be run. */
  readonly firstLine: (command: readonly [string, ...string[]]) => string | undefined
}

/** Returns the machine on which this process runs, and the time. */
export function hereAndNow(): Omit<Occasion, 'isShort' | 'broken'> {
  const all = cpus()
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GiB of memory`
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux'
  return {
    at: new Date(),
    machine: `${all.length} × ${all[0]?.model ?? 'unknown processor'}, ${memory}, ${system}, Linux ${release()}`,
    node: process.version,
    firstLine,
  }
}

/** Returns the report of the figures in Markdown. */
export function reportOf(measured: readonly MeasuredPart[], occasion: Occasion): string {
  const { isShort, broken, at, machine, node } = occasion
  const run = measured.filter(({ figures }) => figures.length > 0)
  const leftOut = measured.filter(({ figures }) => figures.length === 0)
  return [
    '# Benchmark',
    '',
    '<!-- Written by npm run bench:report. -->',
    '',
    `Measured on ${at.toISOString().slice(0, 10)} on ${machine}, with Node ${node}${isShort ? ', in the short form, whose bounds are wider' : ''}. A ratio is to what the column *Against* names, measured in the same run on the same machine; \`≤\` and \`≥\` are the bounds that the panel sets itself.`,
    '',
    '| Part | What | Measured | Bound | | Against |',
    '| --- | --- | ---: | ---: | --- | --- |',
    ...run.flatMap((part) => part.figures.map((figure) => rowOf(part, figure, isShort))),
    '',
    ...versionsOf(run, occasion),
    ...without(
      'a program is missing',
      leftOut.map(({ name }) => name),
    ),
    ...without('they failed', broken),
    '## Measure it yourself',
    '',
    '```sh',
    'npm ci',
    'npm run bench                 # everything',
    ...run.map(({ name }) => `npm run bench -- ${name}`),
    'npm run bench:report          # writes this page',
    '```',
    '',
    'The parts that run programs under an owner’s uid need root; the programs come from the packages of the distribution.',
    '',
  ].join('\n')
}

const without = (why: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`Not measured, as ${why}: ${names.join(', ')}.`, '']

function rowOf({ name, against }: MeasuredPart, figure: Figure, isShort: boolean): string {
  const { what, value, unit, isMinimum, detail } = figure
  return `| ${[
    name,
    detail === undefined ? what : `${what} (${detail})`,
    `${shown(value)} ${unit}`,
    `${isMinimum ? '≥' : '≤'} ${shown(boundOf(figure, isShort))} ${unit}`,
    holds(figure, isShort) ? 'holds' : '**missed**',
    against,
  ]
    .map(cell)
    .join(' | ')} |`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function versionsOf(run: readonly MeasuredPart[], { firstLine }: Occasion): readonly string[] {
  const commands = run.flatMap(({ versions = [] }) => versions)
  const different = [...new Map(commands.map((command) => [command[0], command])).values()]
  const lines = different.flatMap((command) => firstLine(command) ?? [])
  return lines.length === 0
    ? []
    : ['## Programs it is compared with', '', ...lines.map((line) => `- ${line}`), '']
}

function firstLine([program, ...args]: readonly [string, ...string[]]): string | undefined {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 })
  if (error !== undefined) return undefined
  return `${stdout}${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /\d\.\d/.test(line))
}
