import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Call } from './command.ts'
import { openResponse, request } from './request.ts'

/** Where the panel is. */
type Home = Pick<Config, 'data_dir'>

/** Exports the activity log of the running panel with what proves it, or prints its public key or a checkpoint. */
export async function activity({ positionals: [verb], output }: Call, config: Home): Promise<number> {
  if (verb === 'export') return exportLog(config, output)
  if (verb === 'key' && output === undefined) return show(config, 'public_key')
  if (verb === 'checkpoint' && output === undefined) return show(config, 'checkpoint')
  process.stderr.write('hostreeve: activity export [--output FILE], activity checkpoint or activity key\n')
  return 2
}

function noPanel(config: Home): number {
  process.stderr.write(`hostreeve: no panel runs on ${config.data_dir}\n`)
  return 3
}

async function show(config: Home, field: 'public_key' | 'checkpoint'): Promise<number> {
  const answer = await request(config, 'GET', '/api/activity/chain')
  if (answer === undefined) return noPanel(config)
  if (answer.status !== 200) throw new Error(messageIn(answer.text))
  process.stdout.write(`${JSON.parse(answer.text).data[field]}\n`)
  return 0
}

/** A file that is there already is kept, and a part of an export is not. */
async function exportLog(config: Home, output: string | undefined): Promise<number> {
  if (output !== undefined && existsSync(output)) throw new Error(`--output: ${output} exists already`)
  const response = await openResponse(config, 'GET', '/api/activity/chain/export')
  if (response === undefined) return noPanel(config)
  if (response.statusCode !== 200) throw new Error(messageIn(await text(response)))
  if (output === undefined) {
    for await (const chunk of response) await written(chunk)
    return 0
  }
  let isOurs = false
  const file = createWriteStream(output, { mode: 0o600, flags: 'wx' }).once('open', () => (isOurs = true))
  try {
    await pipeline(response, file)
  } catch (error) {
    if (isOurs) rmSync(output, { force: true })
    throw error
  }
  return 0
}

/** The message of a refusal; the reply itself if it is none. */
function messageIn(reply: string): string {
  try {
    return JSON.parse(reply).error.message
  } catch {
    return reply
  }
}

const written = (chunk: Buffer): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(chunk, () => resolve()))
