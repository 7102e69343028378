import { Modal } from '@mantine/core'
import Type from 'typebox'
import type { Call } from '../../../../web/call.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../../web/kit/SchemaForm.tsx'
import { Name } from '../../model.ts'
import { calls, carryOut } from '../calls.ts'
import { expectEntry } from '../list/arrival.ts'
import { joinPath } from '../paths.ts'
import { stands, type Whose } from '../queries.ts'

// The panel accepts a name of spaces only, which nobody finds in a list.
const Draft = Type.Object({
  name: Type.Unsafe<string>({
    ...Name,
    pattern: '^(?=.*\\S)[^/\\u0000]+$',
    expects: 'a name of 1 to 255 characters without /, and not of spaces alone',
  }),
})
const text = { name: { label: 'Name', hint: '' } }

interface NewDialogProps {
  readonly kind: 'file' | 'folder'
  readonly whose: Whose
  readonly folder: string
  readonly onClose: () => void
  /** Called with the path of a new file, which is then opened. */
  readonly onMade: (path: string) => void
}

/** Asks for the name of a new file or folder. */
export function NewDialog({ kind, whose, folder, onClose, onMade }: NewDialogProps) {
  const callFor = ({ name }: { readonly name: string }): Call => {
    const path = joinPath(folder, name)
    return kind === 'file' ? calls.write(whose, path, '') : calls.mkdir(whose, path)
  }
  const make = async ({ name }: { readonly name: string }) => {
    const path = joinPath(folder, name)
    if (kind === 'file' && (await stands(whose, path))) throw new Error(`${name} already exists`)
    await carryOut(callFor({ name }), () => expectEntry(path))
    onClose()
    if (kind === 'file') onMade(path)
    else notify(`The folder ${name} was created.`)
  }
  return (
    <Modal opened onClose={onClose} title={`New ${kind}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={Draft}
        text={text}
        submitLabel={`Create the ${kind}`}
        reviewOf={callFor}
        onSubmit={make}
        onCancel={onClose}
      />
    </Modal>
  )
}
