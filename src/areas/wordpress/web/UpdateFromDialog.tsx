import Type from 'typebox'
import type { Call } from '../../../web/call.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type CoreUpdateDraft, UpdateDraft } from '../model.ts'
import { readWordPressAgain } from './queries.ts'

interface UpdateFromDialogProps {
  /** Name of what is updated. */
  readonly title: string
  readonly callOf: (draft: CoreUpdateDraft) => Call
  readonly onClose: () => void
}

const { path, url, sha256 } = UpdateDraft.properties.items.items.properties
const schema = Type.Object({ path, url, sha256, check_site: UpdateDraft.properties.check_site })

const text = {
  path: { label: 'Archive in the home', hint: 'Such as update.zip, or leave blank for an address' },
  url: { label: 'Address', hint: 'Begins with https://' },
  sha256: { label: 'SHA-256', hint: 'Of the archive at the address' },
  check_site: { label: 'Take it back if the website fails afterwards' },
}

/** Updates a plugin, a theme or WordPress itself from a zip archive of the caller's choice. */
export function UpdateFromDialog({ title, callOf, onClose }: UpdateFromDialogProps) {
  const done = async () => {
    onClose()
    notify(`${title} was updated.`)
    await readWordPressAgain()
  }
  return (
    <PlannedForm
      title={`Update ${title} from an archive`}
      confirmLabel="Update"
      schema={schema}
      text={text}
      callOf={callOf}
      onClose={onClose}
      onDone={done}
    />
  )
}
