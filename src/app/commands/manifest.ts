import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import type { ManifestApplied, ManifestPlan } from '../../areas/manifest/index.ts'
import type { Config } from '../config.ts'
import type { Call } from './command.ts'
import { request } from './request.ts'

const limitMs = 3_600_000

/** Compares a manifest with this host; the exit code is 0 also if there is something to do. */
export async function planManifest(call: Call, config: Config): Promise<number> {
  const body = await bodyOf(call, 'plan')
  if (typeof body === 'string') return wrongCall(body)
  const plan = await ask<ManifestPlan>(config, 'POST', '/api/manifest/plan', body)
  print(call.isJson ? JSON.stringify(plan, null, 2) : planText(plan))
  return 0
}

/** Applies a manifest, once what cannot be undone is confirmed; prints the passwords that were drawn. */
export async function applyManifest(call: Call, config: Config): Promise<number> {
  const body = await bodyOf(call, 'apply')
  if (typeof body === 'string') return wrongCall(body)
  const plan = await ask<ManifestPlan>(config, 'POST', '/api/manifest/plan', body)
  if (!call.isJson) print(planText(plan))
  const confirm = plan.confirmations.length > 0
  if (confirm && !call.isConfirmed && !(await isConfirmed(call))) {
    process.stderr.write('hostreeve: nothing was changed: confirm it with --yes, or type yes in a terminal\n')
    return 1
  }
  const secrets = plan.references.map(({ path, ...reference }) => ({ path, value: valueOf(path, reference) }))
  const applied = await ask<ManifestApplied>(config, 'POST', '/api/manifest/apply', {
    ...body,
    confirm,
    plan: plan.digest,
    secrets,
  })
  print(call.isJson ? JSON.stringify(applied, null, 2) : appliedText(applied))
  return 0
}

/** Prints the manifest of this host or one of its sections, as YAML or with `--json` as JSON. */
export async function exportManifest(
  { isJson, positionals: [section] }: Call,
  config: Config,
): Promise<number> {
  const query = new URLSearchParams({
    format: isJson ? 'json' : 'yaml',
    ...(section !== undefined && { section }),
  })
  const path = `/api/manifest/export?${query}`
  const { text: manifest } = await ask<{ readonly text: string }>(config, 'GET', path)
  process.stdout.write(manifest)
  return 0
}

async function bodyOf({ file, isPruning = false }: Call, verb: string) {
  if (file === undefined) return `${verb} -f FILE`
  try {
    return { text: file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8'), prune: isPruning }
  } catch (error) {
    return `--file: ${error instanceof Error ? error.message : String(error)}`
  }
}

function wrongCall(usage: string): number {
  process.stderr.write(`hostreeve: ${usage}\n`)
  return 2
}

interface Envelope<Value> {
  readonly data: Value
  readonly error?: { readonly message: string }
}

async function ask<Value>(config: Config, method: string, path: string, body?: object): Promise<Value> {
  const answer = await request(config, method, path, body, limitMs)
  if (answer === undefined)
    throw Object.assign(new Error(`no panel runs on ${config.data_dir}`), { exitCode: 3 })
  if (!answer.text.startsWith('{'))
    throw new Error(`the panel answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  const { data, error }: Envelope<Value> = JSON.parse(answer.text)
  if (answer.status >= 400) throw new Error(error?.message ?? answer.text)
  return data
}

/** Asks in a terminal once the plan was shown; false anywhere else, where nobody could answer. The end of the input is a no. */
async function isConfirmed({ file, isJson }: Call): Promise<boolean> {
  if (!process.stdin.isTTY || file === '-' || isJson) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const answer = await Promise.race([lines.question('Type yes to go on: '), ended])
  lines.close()
  return answer.trim() === 'yes'
}

type Reference = Omit<ManifestPlan['references'][number], 'path'>

function valueOf(path: string, { env, file }: Reference): string {
  if (env !== null) {
    const value = process.env[env]
    if (value === undefined) throw new Error(`${path}: the environment variable ${env} is not set`)
    return value
  }
  return readFileSync(file ?? '', 'utf8').replace(/\r?\n$/, '')
}

const signs = { create: '+', change: '~', delete: '-' } as const

function planText({ operations, confirmations }: ManifestPlan): string {
  if (operations.length === 0) return 'Nothing to do: the host is as the manifest has it'
  const lines = operations.map(
    ({ action, object, details }) =>
      `${signs[action]} ${object}${details.length === 0 ? '' : `: ${details.join(', ')}`}`,
  )
  const warned =
    confirmations.length === 0 ? [] : ['', 'To be confirmed:', ...confirmations.map((each) => `! ${each}`)]
  return [...lines, ...warned].join('\n')
}

function appliedText({ operations, passwords, left }: ManifestApplied): string {
  if (operations.length === 0) return 'Nothing was changed'
  return [
    `Done: ${operations.length} ${operations.length === 1 ? 'object' : 'objects'}`,
    ...left.map((each) => `Still there, remove it by hand: ${each}`),
    ...passwords.map(({ object, password }) => `Password of ${object}, shown only this once: ${password}`),
  ].join('\n')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
