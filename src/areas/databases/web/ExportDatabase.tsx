import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import type { Database } from '../model.ts'
import { databases } from './api.ts'
import { DumpDialog } from './DumpDialog.tsx'
import { dumpTexts } from './engines.ts'

interface ExportDatabaseProps {
  readonly database: Database
  readonly onClose: () => void
}

/** Dumps a database into the home of its owner, and to S3 where that is asked for. */
export function ExportDatabase({ database: { id, name, engine }, onClose }: ExportDatabaseProps) {
  const [isUploaded, setUploaded] = useState(false)
  return (
    <DumpDialog
      title={`Export ${name}`}
      submitLabel="Export"
      call={databases.exportDatabase({ params: { id }, body: { upload_to_cloud: isUploaded } })}
      done={
        <Text size="sm">
          The file is in the folder db of the owner: download it in <TextLink to="/files">Files</TextLink>.
        </Text>
      }
      onClose={onClose}
    >
      <Text size="sm">Writes {dumpTexts[engine].exported} to the folder db in the home of the owner.</Text>
      <Checkbox
        label="Upload a copy to S3"
        description="To the S3 server of the backups, encrypted where copies of backups are"
        checked={isUploaded}
        onChange={(event) => setUploaded(event.currentTarget.checked)}
      />
    </DumpDialog>
  )
}
