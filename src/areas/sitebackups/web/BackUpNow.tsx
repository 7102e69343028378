import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { sitebackups } from './api.ts'
import { JobForm } from './JobForm.tsx'
import { useBackupSets } from './queries.ts'

interface BackUpNowProps {
  readonly website: { readonly id: number; readonly domain: string }
  readonly onClose: () => void
}

/** Makes a backup of a website, and shows its progress. */
export function BackUpNow({ website: { id, domain }, onClose }: BackUpNowProps) {
  const { data } = useBackupSets(id)
  const [set, setSet] = useState('default')
  return (
    <JobForm
      title={`Back up ${domain}`}
      submitLabel="Back up"
      call={sitebackups.backUpWebsite({ params: { id }, body: { set } })}
      onClose={onClose}
    >
      <NativeSelect
        label="Set"
        description="What is backed up, and how many backups are kept"
        data={data?.sets.map(({ name }) => name) ?? [set]}
        value={set}
        onChange={(event) => setSet(event.currentTarget.value)}
        data-autofocus
      />
    </JobForm>
  )
}
