import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { formatMoment } from '../../../web/kit/format.ts'
import { useTimeZone } from '../../../web/kit/time-zone.ts'
import type { Dnssec, Withdrawal } from '../dnssec/model.ts'
import { authdns } from './api.ts'
import { ForceDialog } from './ForceDialog.tsx'
import { done } from './ZoneDialogs.tsx'

interface DisableDnssecProps {
  readonly zone: string
  readonly state: Pick<Dnssec, 'withdrawal'>
}

/** Leads through disabling DNSSEC: the DS goes first, and the keys once no resolver has it any more. */
export function DisableDnssec({ zone, state: { withdrawal } }: DisableDnssecProps) {
  const [asked, ask] = useState<'withdraw' | 'remove'>()
  useTimeZone()
  const close = () => ask(undefined)
  const step = withdrawal === null ? 'Disable DNSSEC' : 'Confirm that the DS is gone'
  return (
    <Stack gap="sm">
      {withdrawal !== null && <Text size="sm">{textOf(withdrawal)}</Text>}
      <Group justify="flex-end">
        {(withdrawal?.remove_from ?? null) === null && (
          <Button variant="default" onClick={() => ask('withdraw')}>
            {step}
          </Button>
        )}
        <CutOffButton onClick={() => ask('remove')}>Remove the signatures</CutOffButton>
      </Group>
      {asked === 'withdraw' && (
        <ForceDialog
          title={`${step}: ${zone}`}
          confirmLabel={withdrawal === null ? 'Begin' : 'Confirm'}
          forceLabel="The parent has no DS, although the resolver of this host does not find out"
          callOf={(force) => authdns.withdrawZoneDs({ params: { zone }, query: { force } })}
          onClose={close}
          onDone={() => done(close, 'Noted. The card says what comes next.')}
        />
      )}
      {asked === 'remove' && (
        <ForceDialog
          title={`Remove the signatures of ${zone}`}
          confirmLabel="Remove"
          forceLabel="Do not wait: resolvers that validate may refuse the zone meanwhile"
          callOf={(force) => authdns.disableZoneDnssec({ params: { zone }, query: { force } })}
          onClose={close}
          onDone={() => done(close, `${zone} is no longer signed.`)}
        />
      )}
    </Stack>
  )
}

function textOf({ remove_from }: Withdrawal): string {
  if (remove_from === null)
    return 'DNSSEC is being disabled. Have the registrar remove the DS, then confirm that it is gone.'
  if (Date.parse(remove_from) > Date.now())
    return `DNSSEC is being disabled. Leave the keys until ${formatMoment(remove_from)}: until then, resolvers may have the DS.`
  return 'No resolver has the DS any more: remove the signatures.'
}
