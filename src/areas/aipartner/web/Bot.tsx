import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { type PartnerChannel, PartnerChannelDraft, type PartnerChannelEdit } from '../model.ts'
import { aipartner } from './api.ts'
import { done, useChannel } from './queries.ts'

const text = {
  channel_token: { label: 'Token of the bot', hint: 'The messenger shows it when the bot is created' },
  enabled: { label: 'The bot answers', first: true },
  allowed_users: { label: 'Allowed users', hint: 'Numbers or names; everybody if empty' },
  allowed_groups: { label: 'Allowed groups' },
  admin_users: { label: 'Users who may give orders' },
  mention_only: { label: 'Answer in groups only where it is named' },
}

/** The bot at the messenger. */
export function Bot() {
  const { data, error, refetch, isPending } = useChannel()
  const [asking, ask] = useState<'edit' | 'remove'>()
  const close = () => ask(undefined)
  return (
    <SectionCard title="Bot at the messenger">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && <State bot={data} onAsk={ask} />}
      {asking === 'edit' && data && (
        <PlannedForm
          title={data.connected ? 'Configure the bot' : 'Connect a bot'}
          confirmLabel="Save"
          schema={PartnerChannelDraft}
          text={text}
          except={['allowed_user_ids']}
          {...(data.connected && { given: data })}
          callOf={(body: PartnerChannelEdit) =>
            data.connected
              ? aipartner.editChannel({ body })
              : aipartner.replaceChannel({ body: { ...body, channel_token: body.channel_token ?? '' } })
          }
          onClose={close}
          onDone={() => done(close, 'The bot was configured.')}
        />
      )}
      {asking === 'remove' && (
        <ChangeDialog
          title="Remove the bot"
          confirmLabel="Remove"
          call={aipartner.removeChannel()}
          onClose={close}
          onDone={() => done(close, 'The bot was removed.')}
        />
      )}
    </SectionCard>
  )
}

interface StateProps {
  readonly bot: PartnerChannel
  readonly onAsk: (asking: 'edit' | 'remove') => void
}

function State({ bot, onAsk }: StateProps) {
  if (bot.source === 'none')
    return (
      <Empty title="There is no active trial">
        Activate the trial, or install the gateway, to connect a bot.
      </Empty>
    )
  if (!bot.connected)
    return (
      <Empty
        title="No bot is connected"
        action={
          <Button mt="sm" onClick={() => onAsk('edit')}>
            Connect a bot
          </Button>
        }
      >
        The AI partner answers at a messenger in the name of a bot.
      </Empty>
    )
  return (
    <>
      <Group gap="4px 12px" role="status" aria-label="State of the bot">
        <StateBadge state={bot.enabled === false ? 'stopped' : 'enabled'} />
        <Text size="sm">{bot.bot_username ?? 'A bot'}</Text>
        <Text size="sm" c="dimmed">
          through the {bot.source}
        </Text>
      </Group>
      <Group gap="sm">
        <Button variant="default" onClick={() => onAsk('edit')}>
          Configure
        </Button>
        <CutOffButton onClick={() => onAsk('remove')}>Remove the bot</CutOffButton>
      </Group>
    </>
  )
}
