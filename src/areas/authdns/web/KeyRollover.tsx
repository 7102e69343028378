import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { formatMoment } from '../../../web/kit/format.ts'
import { useTimeZone } from '../../../web/kit/time-zone.ts'
import type { Rollover, RolloverStep } from '../dnssec/model.ts'
import { authdns } from './api.ts'
import { dsLabel } from './ds-label.ts'
import { ForceDialog } from './ForceDialog.tsx'
import { done } from './ZoneDialogs.tsx'

interface ZoneName {
  readonly zone: string
}

/** Starts the roll-over of the key of a zone. */
export function StartRollover({ zone }: ZoneName) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Roll the key over
      </Button>
      {isAsking && (
        <ChangeDialog
          title={`Roll over the key of ${zone}`}
          confirmLabel="Start"
          call={authdns.rollOverZoneKey({
            params: { zone },
            query: { force: false },
            body: { step: 'start' },
          })}
          onClose={close}
          onDone={() => done(close, `${zone} has a new key.`)}
        />
      )}
    </>
  )
}

interface Asked {
  readonly step: RolloverStep['step']
  readonly title: string
  readonly confirmLabel: string
  readonly message: string
}

const confirming: Asked = {
  step: 'ds_published',
  title: 'Confirm the new DS',
  confirmLabel: 'Confirm',
  message: 'The new DS was confirmed.',
}
const finishing: Asked = {
  step: 'finish',
  title: 'Remove the former key',
  confirmLabel: 'Remove',
  message: 'The former key was removed.',
}
const cancelling: Asked = {
  step: 'cancel',
  title: 'Cancel the roll-over',
  confirmLabel: 'Remove the new key',
  message: 'The new key was removed.',
}

/** Shows how far the roll-over of a key is, and what to do next. */
export function KeyRollover({ zone, rollover }: ZoneName & { readonly rollover: Rollover }) {
  const [asked, ask] = useState<Asked>()
  useTimeZone()
  const close = () => ask(undefined)
  const isConfirmed = rollover.finish_from !== null
  const next = isConfirmed ? finishing : confirming
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {`Roll-over from key ${rollover.former_id} to key ${rollover.new_id}`}
      </Text>
      <Text size="sm">{textOf(rollover)}</Text>
      {rollover.state === 'waiting_for_parent' &&
        rollover.ds.map((ds) => <Copyable key={ds} label={`New ${dsLabel(ds)}`} value={ds} />)}
      <Group>
        <Button variant="default" onClick={() => ask(next)}>
          {next.title}
        </Button>
        {!isConfirmed && <CutOffButton onClick={() => ask(cancelling)}>{cancelling.title}</CutOffButton>}
      </Group>
      {asked && (
        <ForceDialog
          title={`${asked.title}: ${zone}`}
          confirmLabel={asked.confirmLabel}
          forceLabel="Do not wait: resolvers that validate may refuse the zone meanwhile"
          callOf={(force) =>
            authdns.rollOverZoneKey({ params: { zone }, query: { force }, body: { step: asked.step } })
          }
          onClose={close}
          onDone={() => done(close, asked.message)}
        />
      )}
    </Stack>
  )
}

const parents: Readonly<Record<Rollover['parent'], string>> = {
  former: 'The parent still has the DS of the former key.',
  new: 'The parent has the new DS: confirm it.',
  both: 'The parent has the DS of both keys: confirm the new one.',
  other: 'The parent has the DS of another key.',
  none: 'The parent has no DS.',
  unknown: 'The resolver of this host does not answer which DS the parent has.',
}

function textOf({ state, parent, publish_from, finish_from }: Rollover): string {
  if (state === 'waiting_for_caches')
    return `Both keys sign. Leave the DS as it is until ${formatMoment(publish_from)}: until then, resolvers may have the keys without the new one.`
  if (state === 'waiting_for_parent')
    return `Replace the DS at the registrar, or in the parent zone, by one of these. ${parents[parent]}`
  if (state === 'waiting_for_ds' && finish_from !== null)
    return `Leave both keys until ${formatMoment(finish_from)}: until then, resolvers may have the former DS.`
  return 'No resolver has the former DS any more: remove the former key.'
}
