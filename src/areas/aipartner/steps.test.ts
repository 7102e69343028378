import { after, before } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { sealWith } from '../../store/secrets.ts'
import { activateStep } from './activate-step.ts'
import { setChannelStep } from './channel-step.ts'
import type { PartnerServer } from './partner-api.ts'
import { secret, type StandInPartner, startPartner, trialToken } from './testing/partner.ts'

const seal = sealWith(Buffer.alloc(32, 7))
const { fetch, dial, machine } = openHost()
let partner: StandInPartner
before(async () => void (partner = await startPartner()))
after(() => partner.close())

type Door = <Thing extends object>(thing: Thing) => Thing

const serverOf = (door: Door): PartnerServer => ({ fetch: door(fetch), dial, url: partner.url, secret })

proveStep<StandInPartner>('aipartner.activate', {
  machine: () => partner,
  open: (_machine, door) => {
    const licence = { file: { current: () => undefined } }
    return activateStep({ store: seal, server: serverOf(door), machine, licence, version: '1.0.0' })
  },
  look: () => null,
  cases: {
    'a first trial': {
      args: null,
      wanted: null,
      returns: { is_blocked: 0, blocked_message: '', reused: false },
    },
  },
  withoutHandEdit: 'the step is final',
})

proveStep<StandInPartner>('aipartner.set-channel', {
  machine: () => {
    partner.bot = {}
    return partner
  },
  open: (_machine, door) => setChannelStep({ store: seal, server: serverOf(door) }),
  look: ({ bot }) => bot,
  cases: {
    'a first bot': {
      args: { sealed_token: seal.seal(trialToken), bot: { channel_token: '12345:abcdef', enabled: true } },
      wanted: { channel_token: '12345:abcdef', enabled: true, bot_username: 'hostreeve_bot' },
      returns: { bot_username: 'hostreeve_bot', is_enabled: 1 },
    },
    'its removal': {
      args: { sealed_token: seal.seal(trialToken), bot: { channel_token: '' } },
      arrange: (known) => void (known.bot = { channel_token: '12345:abcdef', bot_username: 'hostreeve_bot' }),
      wanted: { channel_token: '', enabled: false },
    },
  },
  withoutHandEdit: 'the step is final',
})
