import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { aipartner } from './api.ts'
import { Chat } from './Chat.tsx'
import { PartnerFrame } from './PartnerFrame.tsx'
import { done, useMessages, useStatus } from './queries.ts'

/** The trial of the AI partner, and the chat with it. */
export function ChatPage() {
  const { data: status, error, refetch, isPending } = useStatus()
  const [round, setRound] = useState(0)
  return (
    <PartnerFrame
      about={
        status?.activated
          ? aboutTrial(status)
          : 'A trial of an AI partner, who answers questions about this host.'
      }
      actions={status?.activated && <ClearChat onCleared={() => setRound(round + 1)} />}
    >
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {status && !status.activated && <NotActivated isBuilt={status.build_ok} />}
      {status?.activated && <History key={round} />}
    </PartnerFrame>
  )
}

interface Trial {
  readonly blocked?: boolean
  readonly blocked_message?: string
  readonly days_left?: number
}

function aboutTrial({ blocked, blocked_message: message, days_left: days = 0 }: Trial): string {
  if (blocked) return `The AI partner has blocked the trial${message ? `: ${message}` : ''}.`
  if (days === 0) return 'The trial has ended.'
  return days === 1 ? 'The trial ends within a day.' : `The trial ends in ${days} days.`
}

function NotActivated({ isBuilt }: { readonly isBuilt: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  if (!isBuilt)
    return (
      <Empty title="This build has no AI partner">
        Set partner_api_url and partner_secret under Settings, and restart the panel.
      </Empty>
    )
  return (
    <SectionCard title="Trial">
      <Empty
        title="The trial is not activated"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Activate the trial
          </Button>
        }
      >
        It can be activated once. The partner is told the name of this host and a digest of its licence.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Activate the trial"
          confirmLabel="Activate"
          call={aipartner.activateTrial()}
          onClose={close}
          onDone={() => done(close, 'The trial is activated.')}
        />
      )}
    </SectionCard>
  )
}

function History() {
  const { data, error, refetch, isPending } = useMessages()
  if (isPending) return <Loading rows={6} />
  if (!data) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <SectionCard title="Chat">
      <Chat before={data.messages.map(({ role, text }) => ({ from: role, text }))} />
    </SectionCard>
  )
}

function ClearChat({ onCleared }: { readonly onCleared: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Clear the chat
      </Button>
      {isAsking && (
        <ChangeDialog
          title="Clear the chat"
          confirmLabel="Clear"
          call={aipartner.clearPartnerMessages()}
          onClose={close}
          onDone={async () => {
            await done(close, 'The chat was cleared.')
            onCleared()
          }}
        />
      )}
    </>
  )
}
