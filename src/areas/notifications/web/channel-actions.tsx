import { Button, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { Channel, ChannelDraft } from '../model.ts'
import { notifications } from './api.ts'

interface OfChannel {
  readonly channel: Channel
  readonly all: readonly Channel[]
}

/** The channel as it is sent back. */
export const draftOf = ({ id, type, target, kinds, is_enabled }: Channel): ChannelDraft => ({
  id,
  type,
  target,
  kinds,
  is_enabled,
})

/** The request that sets all channels. */
export const callOf = (channels: readonly ChannelDraft[]) =>
  notifications.replaceChannels({ body: { channels: [...channels] } })

/** Sends a test and says whether it arrived. */
export function TestChannel({ channel: { id, target } }: { readonly channel: Channel }) {
  const test = useMutation({
    mutationFn: () => run(notifications.testChannel({ params: { id } })),
    onSuccess: () => notify(`The test was sent to ${target}.`),
    onError: (error) => notify(textOf(error), true),
  })
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Send a test to ${target}`}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      Send a test
    </Button>
  )
}

/** Switches a channel on or off. */
export function ChannelSwitch({ channel, all }: OfChannel) {
  const set = useMutation({
    mutationFn: (isEnabled: boolean) =>
      run(
        callOf(
          all.map((each) => (each === channel ? { ...draftOf(each), is_enabled: isEnabled } : draftOf(each))),
        ),
      ),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('notifications'),
  })
  return (
    <Switch
      aria-label={`Send to ${channel.target}`}
      checked={channel.is_enabled}
      disabled={set.isPending}
      onChange={(event) => set.mutate(event.currentTarget.checked)}
    />
  )
}

/** Deletes a channel, after its plan. */
export function RemoveChannel({ channel, all, onClose }: OfChannel & { readonly onClose: () => void }) {
  return (
    <ChangeDialog
      title={`Delete the channel ${channel.target}`}
      confirmLabel="Delete the channel"
      isCutOff
      call={callOf(all.filter((each) => each !== channel).map(draftOf))}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`Nothing is sent to ${channel.target} any more.`)
        return readAgain('notifications')
      }}
    />
  )
}
