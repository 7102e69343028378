import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Dnssec } from '../dnssec/model.ts'
import type { Zone } from '../model.ts'
import { authdns } from './api.ts'
import { DisableDnssec } from './DisableDnssec.tsx'
import { dsLabel } from './ds-label.ts'
import { KeyRollover, StartRollover } from './KeyRollover.tsx'
import { useDnssec } from './queries.ts'
import { done } from './ZoneDialogs.tsx'

/** The signatures of a zone: signs it, shows the DS for the parent, and removes the keys. */
export function DnssecCard({ zone }: { readonly zone: Zone }) {
  const { data: state, error, refetch, isPending } = useDnssec(zone.name)
  return (
    <SectionCard title="DNSSEC">
      {isPending && <Loading rows={2} />}
      {error && !state && <Failure error={error} onRetry={() => void refetch()} />}
      {state?.signed === false && <Unsigned zone={zone} />}
      {state?.signed === true && <Signed zone={zone} state={state} />}
    </SectionCard>
  )
}

function Unsigned({ zone: { name, kind } }: { readonly zone: Zone }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  if (kind === 'Slave') return <Text size="sm">Its master signs a secondary zone.</Text>
  return (
    <Group justify="space-between">
      <Text size="sm">The zone is not signed.</Text>
      <Button variant="default" onClick={() => setAsking(true)}>
        Sign the zone
      </Button>
      {isAsking && (
        <ChangeDialog
          title={`Sign ${name}`}
          confirmLabel="Sign"
          call={authdns.enableZoneDnssec({ params: { zone: name } })}
          onClose={close}
          onDone={() => done(close, `${name} is signed.`)}
        />
      )}
    </Group>
  )
}

const parents: Readonly<Record<Dnssec['parent'], string>> = {
  published: 'The parent has a DS: resolvers validate the zone.',
  absent: 'The parent has no DS: enter one of these at the registrar, or in the parent zone.',
  unknown: 'The resolver of this host does not answer whether the parent has a DS.',
}

function Signed({ zone: { name, kind }, state }: { readonly zone: Zone; readonly state: Dnssec }) {
  return (
    <Stack gap="sm">
      {state.rollover === null && (
        <>
          <Text size="sm">{parents[state.parent]}</Text>
          {state.ds.map((ds) => (
            <Copyable key={ds} label={dsLabel(ds)} value={ds} />
          ))}
        </>
      )}
      {state.rollover !== null && <KeyRollover zone={name} rollover={state.rollover} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {state.keys.map(({ id, keytype, algorithm }) => `Key ${id}: ${keytype}, ${algorithm}`).join('; ')}
        </Text>
        {state.rollover === null && kind !== 'Slave' && <StartRollover zone={name} />}
      </Group>
      {kind !== 'Slave' && <DisableDnssec zone={name} state={state} />}
    </Stack>
  )
}
