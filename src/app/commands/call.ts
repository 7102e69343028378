import type { Call } from './command.ts'
import type { Config } from '../config.ts'
import { request } from './request.ts'

/** Sends one request to the running panel as the command line of this host. */
export async function call({ positionals, body, isJson }: Call, config: Config): Promise<number> {
  const [method, path] = positionals
  if (method === undefined || path === undefined) {
    process.stderr.write('hostreeve: call METHOD PATH [--body JSON]\n')
    return 2
  }
  const answer = await request(
    config,
    method.toUpperCase(),
    path.startsWith('/api') ? path : `/api${path}`,
    body === undefined ? undefined : JSON.parse(body),
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
