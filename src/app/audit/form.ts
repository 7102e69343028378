import Type, { type Static } from 'typebox'
import {
  canonical,
  type Checkpoint,
  checkpointType,
  type ExportHeader,
  exportFormat,
  exportType,
} from '../../changes/proof.ts'
import { compiled } from '../../core/compiled.ts'

const strict = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const CountOrNull = Type.Union([Count, Type.Null()])
// What the verifier prints has a pattern: a terminal must not obey a file.
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Time = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` })
const Key = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })
const Signature = Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' })
/** A text of an entry, which is hashed and never printed. */
const Text = Type.String()

const CheckpointForm = Type.Object(
  {
    type: Type.Literal(checkpointType),
    id: Count,
    hash: Hash,
    broken_at: CountOrNull,
    created_at: Time,
    key: Key,
    signature: Signature,
  },
  strict,
)

const EntryForm = Type.Object(
  {
    id: Count,
    action: Text,
    user_id: CountOrNull,
    key_id: CountOrNull,
    mcp_key_id: CountOrNull,
    ip: Text,
    method: Text,
    path: Text,
    request: Text,
    status: Type.Union([
      Type.Literal('ok'),
      Type.Literal('failed'),
      Type.Literal('restored'),
      Type.Literal('cancelled'),
    ]),
    duration_ms: Type.Integer(), // negative where the clock was set back meanwhile
    request_id: Text,
    change_id: CountOrNull,
    message: Text,
    created_at: Time,
    hash: Hash,
  },
  strict,
)
export type Entry = Static<typeof EntryForm>

const LinkForm = Type.Object({ id: Count, hash: Hash }, strict)

const HeaderForm = Type.Object(
  {
    type: Type.Literal(exportType),
    format: Type.Literal(exportFormat),
    anchor: Type.Union([LinkForm, Type.Null()]),
    newest: LinkForm,
    checkpoints: Count,
    broken_at: CountOrNull,
    created_at: Time,
    key: Key,
    signature: Signature,
  },
  strict,
)

const header = compiled(Type.Object({ activity: HeaderForm }, strict))
const entry = compiled(Type.Object({ entry: EntryForm }, strict))
const checkpoint = compiled(Type.Object({ checkpoint: CheckpointForm }, strict))

/** Reads the first line of an export; undefined if it is none. */
export function readHeader(line: Buffer): ExportHeader | undefined {
  const value = parse(line)
  return header.Check(value) ? value.activity : undefined
}

/** Reads a line after the header; undefined if it is damaged. */
export function readLine(
  line: Buffer,
): { readonly entry: Entry } | { readonly checkpoint: Checkpoint } | undefined {
  const value = parse(line)
  if (entry.Check(value)) return value
  return checkpoint.Check(value) ? value : undefined
}

/** Reads a checkpoint that was kept; undefined if the text contains none. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const value = parse(Buffer.from(text.trim()))
  return checkpoint.Check(value) ? value.checkpoint : undefined
}

/** Only the canonical form counts: another writing of the same value is a change of the file. */
function parse(line: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
    const value: unknown = JSON.parse(text)
    return canonical(value) === text ? value : undefined
  } catch {
    return undefined
  }
}
