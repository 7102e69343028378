import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { canonical, type Checkpoint, checkpointType, exportFormat } from '../../changes/proof.ts'

const strict = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const CountOrNull = Type.Union([Count, Type.Null()])
const Text = Type.String()

const CheckpointForm = Type.Object(
  {
    type: Type.Literal(checkpointType),
    id: Count,
    hash: Text,
    broken_at: CountOrNull,
    created_at: Text,
    key: Text,
    signature: Text,
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
    duration_ms: Count,
    request_id: Text,
    change_id: CountOrNull,
    message: Text,
    created_at: Text,
    hash: Text,
  },
  strict,
)
export type Entry = Static<typeof EntryForm>

const HeaderForm = Type.Object(
  {
    anchor: Type.Union([CheckpointForm, Type.Null()]),
    format: Type.Literal(exportFormat),
    key: Text,
    newest: CheckpointForm,
  },
  strict,
)
export type Header = Static<typeof HeaderForm>

const header = Compile(Type.Object({ activity: HeaderForm }, strict))
const entry = Compile(Type.Object({ entry: EntryForm }, strict))
const checkpoint = Compile(Type.Object({ checkpoint: CheckpointForm }, strict))

/** Reads the first line of an export; undefined if it is none. */
export function readHeader(line: Buffer): Header | undefined {
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
