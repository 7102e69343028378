import Type from 'typebox'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { type Item, UpdateDraft } from '../model.ts'
import { wordpress } from './api.ts'
import { limitMs } from './limits.ts'
import { readWordPressAgain } from './queries.ts'

interface UpdateFromDialogProps {
  readonly id: number
  readonly kind: 'plugin' | 'theme'
  readonly item: Item
  readonly onClose: () => void
}

const { path, url, sha256 } = UpdateDraft.properties.items.items.properties
const schema = Type.Object({ path, url, sha256, check_site: UpdateDraft.properties.check_site })

const text = {
  path: { label: 'Archive in the home', hint: 'Such as plugin.zip, or leave blank for an address' },
  url: { label: 'Address', hint: 'Begins with https://' },
  sha256: { label: 'SHA-256', hint: 'Of the archive at the address' },
  check_site: { label: 'Take it back if the website fails afterwards' },
}

/** Updates a plugin or theme from a zip archive of the caller's choice. */
export function UpdateFromDialog({ id, kind, item, onClose }: UpdateFromDialogProps) {
  const done = async () => {
    onClose()
    notify(`${item.title} was updated.`)
    await readWordPressAgain()
  }
  return (
    <PlannedForm
      title={`Update ${item.title} from an archive`}
      confirmLabel="Update"
      schema={schema}
      text={text}
      callOf={({ check_site: checkSite, ...source }: { readonly check_site: boolean }) =>
        wordpress.updateItems({
          params: { id },
          body: { items: [{ kind, name: item.name, ...source }], check_site: checkSite },
          limitMs,
        })
      }
      onClose={onClose}
      onDone={done}
    />
  )
}
