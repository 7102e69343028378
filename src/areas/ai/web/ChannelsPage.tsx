import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { ChannelDraft } from '../channel-model.ts'
import { ai } from './api.ts'
import { AssistantFrame } from './AssistantFrame.tsx'
import { done, restartMs } from './done.ts'
import { PairingTable } from './PairingTable.tsx'
import { useChannel, usePairings } from './queries.ts'

type Name = 'a' | 'b'

const channels = {
  a: { title: 'Telegram', replace: ai.replaceChannelA, approve: ai.approveChannelAPairing },
  b: { title: 'Discord', replace: ai.replaceChannelB, approve: ai.approveChannelBPairing },
} as const

const text = {
  enabled: { label: 'The assistant answers there' },
  token: { label: 'Token of the bot', hint: 'Empty keeps the stored one' },
  dm_policy: {
    label: 'Who may write',
    labels: { pairing: 'Who was admitted below', allowlist: 'Only the listed senders', disabled: 'Nobody' },
  },
  allow_from: { label: 'Senders that are always admitted', hint: 'Their ids, as the channel has them' },
}

/** Where else the assistant is reached, and who may write to it there. */
export const ChannelsPage = () => (
  <AssistantFrame>
    {() => (
      <Stack gap="lg">
        <ChannelCard name="a" />
        <ChannelCard name="b" />
      </Stack>
    )}
  </AssistantFrame>
)

function ChannelCard({ name }: { readonly name: Name }) {
  const { title, replace, approve } = channels[name]
  const { data, error, refetch } = useChannel(name)
  const { data: waiting, ...query } = usePairings(name)
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  return (
    <SectionCard title={title}>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={2} />}
      {data && (
        <Group>
          <StateBadge state={data.enabled ? 'enabled' : 'disabled'} />
          <Text size="sm">{data.token === undefined ? 'No token' : `Token ${data.token}`}</Text>
          <Button variant="default" aria-label={`Edit ${title}`} onClick={() => setEditing(true)}>
            Edit
          </Button>
        </Group>
      )}
      {data?.enabled && (
        <PairingTable
          label={`Senders on ${title} that wait`}
          hint="Who writes to the bot for the first time gets a code, and is listed here."
          query={{ ...query, data: waiting?.pairings }}
          reason={waiting?.reason ?? null}
          callOf={(body) => approve({ body })}
        />
      )}
      {isEditing && data && (
        <PlannedForm
          title={title}
          confirmLabel="Save"
          schema={ChannelDraft}
          text={text}
          given={{ enabled: data.enabled, dm_policy: data.dm_policy, allow_from: data.allow_from }}
          autoComplete={{ token: 'off' }}
          callOf={({ token, ...body }: ChannelDraft) =>
            replace({ body: token ? { ...body, token } : body, limitMs: restartMs })
          }
          onClose={close}
          onDone={() => done(close, `${title} was changed.`)}
        />
      )}
    </SectionCard>
  )
}
