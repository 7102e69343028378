import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { ZoneDraft, type ZoneItem } from '../model.ts'
import { authdns } from './api.ts'

const text = {
  name: { label: 'Name', hint: 'Such as example.com' },
  kind: { label: 'Kind' },
  masters: { label: 'Masters', hint: 'Of a secondary zone (Slave)' },
  nameservers: { label: 'Name servers', hint: 'ns1 in the zone if none is given' },
}

/** Asks for a new zone and creates it. */
export const CreateZoneDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <PlannedForm
    title="Create a zone"
    confirmLabel="Create"
    schema={ZoneDraft}
    text={text}
    except={['rrsets']}
    callOf={(body: ZoneDraft) => authdns.createDnsZone({ body })}
    onClose={onClose}
    onDone={() => done(onClose, 'The zone was created.')}
  />
)

interface DeleteProps {
  readonly zone: Pick<ZoneItem, 'name' | 'dnssec'>
  readonly onClose: () => void
}

/** Removes a zone, after showing what that does; a signed one needs a confirmation of its own. */
export function DeleteZoneDialog({ zone: { name, dnssec }, onClose }: DeleteProps) {
  const [force, setForce] = useState(false)
  return (
    <ChangeDialog
      title={`Remove ${name}`}
      confirmLabel="Remove"
      call={authdns.deleteDnsZone({ params: { zone: name }, query: { force } })}
      onClose={onClose}
      onDone={() => done(onClose, `${name} was removed.`)}
    >
      {dnssec && (
        <Checkbox
          label="Remove it although it is signed"
          checked={force}
          onChange={(event) => setForce(event.currentTarget.checked)}
        />
      )}
    </ChangeDialog>
  )
}

/** Closes a dialog, says what was done, and reads the lists again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('authdns')
}
