import Type, { type Static } from 'typebox'
import { Id, Masked, OneOf, Port, Prose, Secret, Text, Time } from '../../../core/schemas.ts'

const Moment = Type.Union([Time, Type.Null()])
const State = OneOf(['active', 'error'], { description: 'What the last check or push found' })
const Message = Prose(2000, { description: 'Why it failed; empty if it did not' })

export const PeerDraft = Type.Object({
  name: Text(100, {
    minLength: 1,
    description: 'Name of the server',
    expects: 'a name of 1 to 100 characters',
  }),
  host: Text(253, {
    minLength: 1,
    description: 'Host name or IP address of the other panel',
    expects: 'a host name or an IP address',
  }),
  port: Type.Integer({ ...Port, default: 2087, description: 'HTTPS port of the other panel' }),
  api_key: Secret({
    minLength: 1,
    maxLength: 200,
    description: 'API key of the other panel, of a user who may administer its DNS balancer',
  }),
  public_key: Type.String({
    default: '',
    minLength: 0,
    maxLength: 44,
    pattern: '^([A-Za-z0-9+/]{43}=)?$',
    description: 'SHA-256 of its public key, if this host does not trust its certificate',
    expects: 'the SHA-256 of the public key in base64, 44 characters, or nothing',
  }),
})
export type PeerDraft = Static<typeof PeerDraft>

export const Peer = Type.Object({
  id: Id,
  name: Text(100),
  host: Text(253),
  port: Type.Integer(),
  api_key: Masked({ description: 'API key of the other panel' }),
  status: State,
  last_check: Moment,
  last_sync: Moment,
  created_at: Time,
})
export type Peer = Static<typeof Peer>
export const Peers = Type.Object({ servers: Type.Array(Peer, { maxItems: 1000 }) })
export const PeerPath = Type.Object({ id: Id })

export const PeerChecked = Type.Object({ status: State, message: Message })
export const PeerPushed = Type.Object({ success: Type.Boolean(), message: Message })
export const PeersPushed = Type.Object({
  results: Type.Array(
    Type.Object({ server_id: Id, name: Text(100), success: Type.Boolean(), message: Message }),
    { maxItems: 1000, description: 'One result for each server' },
  ),
})
