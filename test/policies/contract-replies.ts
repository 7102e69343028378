import type { TSchema } from 'typebox'
import type { Route } from '../../src/surfaces/routes.ts'
import type { Row, StatedReply } from './contract.ts'
import type { Keywords } from './schema-walk.ts'
import { hasType, variantsOf } from './stated-types.ts'

const shapes: Readonly<Record<string, string>> = {
  flat: 'flat',
  events: 'sse',
  followed: 'sse',
  bytes: 'raw',
  socket: 'ws',
  rpc: 'jsonrpc',
}

/** A reply has the status, the shape and at least the fields of its row; a flat one exactly these. */
export function replyDeviations({ success }: Row, { endpoint: { reply } }: Route): readonly string[] {
  if (success === undefined) return []
  const shape = reply.shape ?? shapes[reply.kind] ?? 'data'
  if (reply.status !== success.status) return [`returns ${reply.status}, the contract ${success.status}`]
  if (shape !== success.shape) return [`returns the shape ${shape}, the contract ${success.shape}`]
  if (shape === 'sse') return eventDeviations(success.fields, reply.schema)
  if (shape !== 'data' && shape !== 'flat') return []
  const fields = success.fields ?? (shape === 'flat' ? { success: 'true', message: 'string' } : '')
  return fieldDeviations('reply', fields, reply.schema, shape === 'flat')
}

function fieldDeviations(
  at: string,
  stated: StatedReply,
  schema: TSchema | undefined,
  isExact: boolean,
): readonly string[] {
  const keywords = (schema ?? {}) as Keywords
  if (typeof stated === 'string')
    return hasType(keywords, stated) ? [] : [`${at} is not of the type ${stated}`]
  const item = itemOf(stated)
  if (item !== undefined) return listDeviations(at, item, keywords, isExact)
  const properties = propertiesOf(keywords)
  const extra = isExact ? Object.keys(properties).filter((name) => !(name in stated)) : []
  return [
    ...Object.entries(stated).flatMap(([name, below]) =>
      name in properties
        ? fieldDeviations(`${at}.${name}`, below, properties[name], isExact)
        : [`${at}.${name} is missing`],
    ),
    ...extra.map((name) => `${at}.${name} is not in the contract`),
  ]
}

function itemOf(stated: Exclude<StatedReply, string>): StatedReply | undefined {
  return Array.isArray(stated) ? (stated[0] ?? '') : (stated as Readonly<Record<string, StatedReply>>)['[]']
}

function listDeviations(
  at: string,
  item: StatedReply,
  schema: Keywords,
  isExact: boolean,
): readonly string[] {
  const list = variantsOf(schema).find(({ type }) => type === 'array')
  if (list === undefined) return [`${at} is not a list`]
  return fieldDeviations(`${at}[]`, item, list.items as TSchema, isExact)
}

const propertiesOf = (schema: Keywords): Readonly<Record<string, TSchema>> =>
  Object.assign({}, ...variantsOf(schema).map(({ properties }) => properties))

/** Each event of the row is one that the stream can send. */
function eventDeviations(stated: StatedReply | undefined, schema: TSchema | undefined): readonly string[] {
  const { events = [] } = (stated ?? {}) as { readonly events?: readonly StatedReply[] }
  const variants = variantsOf((schema ?? {}) as Keywords)
  return events
    .filter(
      (event) =>
        !variants.some((variant) => fieldDeviations('', event, variant as TSchema, false).length === 0),
    )
    .map((event) => `never sends the event ${JSON.stringify(event)}`)
}
