import { Text } from '@mantine/core'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import type { Database } from '../model.ts'
import { databases } from './api.ts'
import { DumpDialog } from './DumpDialog.tsx'
import { dumpTexts } from './engines.ts'

interface ExportDatabaseProps {
  readonly database: Database
  readonly onClose: () => void
}

/** Dumps a database into the home of its owner. */
export function ExportDatabase({ database: { id, name, engine }, onClose }: ExportDatabaseProps) {
  return (
    <DumpDialog
      title={`Export ${name}`}
      submitLabel="Export"
      call={databases.exportDatabase({ params: { id }, body: {} })}
      done={
        <Text size="sm">
          The file is in the folder db of the owner: download it in <TextLink to="/files">Files</TextLink>.
        </Text>
      }
      onClose={onClose}
    >
      <Text size="sm">Writes {dumpTexts[engine].exported} to the folder db in the home of the owner.</Text>
    </DumpDialog>
  )
}
