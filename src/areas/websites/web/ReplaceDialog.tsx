import type { Call } from '../../../web/call.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Website } from '../model.ts'

interface ReplaceDialogProps {
  readonly website: Website
  /** The change that was refused. */
  readonly refused: Call
  readonly onClose: () => void
}

/** Offers to repeat a change that would overwrite manual edits, after showing what would be lost. */
export function ReplaceDialog({ website, refused, onClose }: ReplaceDialogProps) {
  const done = async () => {
    onClose()
    notify(`The file of ${website.domain} was replaced.`)
    await readAgain('websites')
  }
  return (
    <ChangeDialog
      title={`Replace the file of ${website.domain}, which was edited by hand`}
      confirmLabel="Replace the file"
      call={{ ...refused, query: { ...refused.query, overwrite: true } }}
      onClose={onClose}
      onDone={done}
    />
  )
}
