import { Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Database } from '../model.ts'
import { databases } from './api.ts'
import { DumpDialog } from './DumpDialog.tsx'
import { dumpTexts } from './engines.ts'

interface ImportDatabaseProps {
  readonly database: Database
  readonly onClose: () => void
}

/** Imports a dump into a database, from a file in the home of its owner or from a URL. */
export function ImportDatabase({ database: { id, name, engine }, onClose }: ImportDatabaseProps) {
  const [from, setFrom] = useState('')
  const [isSafe, setSafe] = useState(true)
  const asked = from.trim()
  const source = /^https?:/i.test(asked) ? { url: asked } : { file: asked }
  const body = { ...source, safety_dump: isSafe }
  return (
    <DumpDialog
      title={`Import into ${name}`}
      submitLabel="Import"
      call={databases.importDatabase({ params: { id }, body })}
      isDisabled={asked === ''}
      done={<Text size="sm">The dump was imported into {name}.</Text>}
      onClose={onClose}
    >
      <TextInput
        label="File or URL"
        description={`${dumpTexts[engine].imported}: an absolute path in the home of the owner, or http(s)://`}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        required
        maxLength={2048}
        data-autofocus
        autoComplete="off"
      />
      <Checkbox
        label="Export the database before"
        description="If the import fails, the database is restored from this dump"
        checked={isSafe}
        onChange={(event) => setSafe(event.currentTarget.checked)}
      />
    </DumpDialog>
  )
}
