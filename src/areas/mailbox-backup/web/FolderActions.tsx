import { Button } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { textOf } from '../../../web/wire.ts'
import { mailboxBackup } from './api.ts'
import { RestoreDialog } from './RestoreDialog.tsx'
import { download } from './transfer.ts'

interface FolderProps {
  readonly email: string
  readonly folder: string
}

/** What can be done with the messages of a folder. */
export function FolderActions({ email, folder }: FolderProps) {
  const [isRestoring, setRestoring] = useState(false)
  const save = () => {
    const call = mailboxBackup.exportMailFolder({ params: { email }, query: { folder } })
    download(call, `${folder.replaceAll('/', '_')}.mbox`).catch((error: unknown) =>
      notify(textOf(error), true),
    )
  }
  return (
    <>
      <Button variant="default" onClick={() => setRestoring(true)}>
        Restore the folder
      </Button>
      <Button variant="default" onClick={save}>
        Export as mbox
      </Button>
      {isRestoring && (
        <RestoreDialog
          email={email}
          title={`Restore ${folder}`}
          chosen={{ folder }}
          onClose={() => setRestoring(false)}
        />
      )}
    </>
  )
}
