import { createPublicKey } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { base64Of, type Checkpoint, isSigned, publicKeyFrom } from '../../changes/proof.ts'
import { readCheckpoint } from '../audit/form.ts'
import { linesIn } from '../audit/lines.ts'
import { type Verdict, verifyExport } from '../audit/verify-export.ts'
import type { Call } from './command.ts'

/** What is given on the command line is no key, no checkpoint or no file. */
class WrongCall extends Error {
  readonly exitCode = 2
}

/** Checks an export of the activity log, without the panel and its store. Exit codes: 0 whole, 1 broken, 2 not an export. */
export async function verify({ positionals, key, checkpoint, isJson }: Call): Promise<number> {
  const [file] = positionals
  if (file === undefined) throw new WrongCall('verify FILE [--key KEY|FILE] [--checkpoint FILE]')
  const trust = {
    ...(key !== undefined && { key: keyIn(key) }),
    ...(checkpoint !== undefined && { checkpoint: checkpointIn(checkpoint) }),
  }
  const verdict = await verifyExport(linesIn(chunksOf(file)), trust, new Date())
  process.stdout.write(`${isJson ? JSON.stringify(verdict) : textOf(verdict)}\n`)
  return verdict.ok ? 0 : 1
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) yield chunk
  } catch (error) {
    throw new WrongCall(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** A key is given as base64, or as a file that contains that or PEM. */
function keyIn(given: string): string {
  const text = publicKeyFrom(given) === undefined && existsSync(given) ? read(given).trim() : given
  try {
    const found = text.startsWith('-----BEGIN PUBLIC KEY-----') ? keyOfPem(text) : text
    if (found !== undefined && publicKeyFrom(found) !== undefined) return found
  } catch {
    // PEM that contains no key is answered like any other text that is none
  }
  throw new WrongCall(`--key: must be an Ed25519 public key in base64, or a file with one or with PEM`)
}

/** Undefined if the key is of another kind: some have as many bytes. */
function keyOfPem(pem: string): string | undefined {
  const key = createPublicKey(pem)
  return key.asymmetricKeyType === 'ed25519' ? base64Of(key) : undefined
}

function checkpointIn(file: string): Checkpoint {
  const found = readCheckpoint(read(file))
  if (found !== undefined && isSigned(found)) return found
  throw new WrongCall(
    `--checkpoint: ${file} must contain a signed checkpoint, as hostreeve activity checkpoint prints it`,
  )
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongCall(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function textOf(verdict: Verdict): string {
  const { ok, entries, from, to, checkpoints, key, reason, broken_at: at } = verdict
  if (!ok) return at === null ? `Not verified: ${reason}` : `Broken at entry ${at}: ${reason}`
  const chain = entries === 0 ? '' : `, chain complete from ${from} to ${to}`
  return [
    `${counted(entries, 'entry', 'entries')}${chain}, ${counted(checkpoints, 'checkpoint', 'checkpoints')}, signed by ${key}`,
    `The export was made at ${verdict.signed_at}`,
    ...(verdict.checkpoint === 'pruned'
      ? ['The given checkpoint is older than the entries that are kept: give a newer one']
      : []),
    ...(verdict.is_key_given
      ? []
      : ['The key is that of the file: compare it with the panel, or give --key']),
  ].join('\n')
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
