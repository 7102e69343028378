import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import Type from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { Name } from '../model.ts'
import { joinPath } from './paths.ts'
import { makeFolder, type Whose } from './queries.ts'

/** Where a file page stands. */
export interface Place {
  readonly whose: Whose
  readonly path: string
  readonly search: Readonly<Record<string, string | number>>
}

export type FileAction = { readonly kind: 'folder' } | { readonly kind: 'edit' | 'extract' | 'delete'; readonly path: string }

interface FileDialogsProps {
  readonly action: FileAction
  readonly place: Place
  readonly onClose: () => void
}

const FolderDraft = Type.Object({ name: Name })
const words = { name: { label: 'Name', hint: '' } }

/** The dialog of what was chosen. */
export function FileDialogs({ action, place, onClose }: FileDialogsProps) {
  const finish = (text: string) => async () => {
    onClose()
    notify(text)
    await readAgain('files')
  }
  if (action.kind === 'edit') return <Edit path={action.path} place={place} onClose={onClose} />
  if (action.kind === 'delete')
    return (
      <ChangeDialog
        title={`Delete ${action.path}`}
        confirmLabel="Delete"
        call={{ method: 'POST', path: '/filemanager/delete', body: { ...place.whose, paths: [action.path] } }}
        onClose={onClose}
        onDone={finish(`${action.path} was deleted.`)}
      />
    )
  if (action.kind === 'extract')
    return (
      <ChangeDialog
        title={`Unpack ${action.path}`}
        confirmLabel="Unpack"
        call={{ method: 'POST', path: '/filemanager/extract', body: { ...place.whose, archive_path: action.path, dst_path: place.path } }}
        onClose={onClose}
        onDone={finish(`${action.path} was unpacked.`)}
      />
    )
  const make = async ({ name }: { name: string }) => {
    await makeFolder(place.whose, joinPath(place.path, name))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="New folder" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm schema={FolderDraft} words={words} submitLabel="Make the folder" onSubmit={make} onCancel={onClose} />
    </Modal>
  )
}

function Edit({ path, place, onClose }: Omit<FileDialogsProps, 'action'> & { readonly path: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    onClose()
    void navigate({ to: '/files/edit' as never, search: { ...place.search, path } as never })
  }, [])
  return null
}
