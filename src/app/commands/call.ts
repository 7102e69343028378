import { readFileSync } from 'node:fs'
import type { Call } from './command.ts'
import type { Config } from '../config.ts'
import { request } from './request.ts'

/** Sends one request to the running panel as the command line of this host. */
export async function call({ positionals, body, isJson }: Call, config: Config): Promise<number> {
  const [method, path] = positionals
  if (method === undefined || path === undefined) {
    process.stderr.write('hostreeve: call METHOD PATH [--body JSON|@FILE]\n')
    return 2
  }
  const sent = readBody(body)
  if ('problem' in sent) {
    process.stderr.write(`hostreeve: --body: ${sent.problem}\n`)
    return 2
  }
  const answer = await request(
    config,
    method.toUpperCase(),
    path.startsWith('/api') ? path : `/api${path}`,
    sent.value,
  )
  if (answer === undefined) {
    process.stderr.write(`hostreeve: no panel runs on ${config.data_dir}\n`)
    return 3
  }
  process.stdout.write(
    `${isJson ? JSON.stringify({ status: answer.status, body: parsed(answer.text) }) : answer.text}\n`,
  )
  return answer.status < 400 ? 0 : 1
}

/** The value of `--body`: JSON, or `@` and the file that contains it. */
function readBody(body: string | undefined): { readonly value: unknown } | { readonly problem: string } {
  if (body === undefined) return { value: undefined }
  try {
    return { value: JSON.parse(body.startsWith('@') ? readFileSync(body.slice(1), 'utf8') : body) }
  } catch (error) {
    return { problem: `must be JSON, or @ and a file that contains it (${(error as Error).message})` }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
