import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { allSections, type ManifestSection } from '../model.ts'
import { exported } from './queries.ts'

const labels: Readonly<Record<ManifestSection, string>> = {
  users: 'Users',
  websites: 'Websites',
  databases: 'Databases',
  zones: 'DNS zones',
  firewall_rules: 'Firewall rules',
}

const options = [
  { value: '', label: 'Whole host' },
  ...allSections.map((section) => ({ value: section, label: labels[section] })),
]

const addressMs = 60_000

/** Hands out the manifest of this host, or the section of it that is chosen. */
export function ExportForm() {
  const [section, setSection] = useState<ManifestSection>()
  const save = useMutation({
    mutationFn: () => exported(section),
    onSuccess: ({ text }) => {
      const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
      const download = `${section ?? 'site'}.yaml`
      Object.assign(document.createElement('a'), { href: url, download }).click()
      setTimeout(() => URL.revokeObjectURL(url), addressMs)
    },
    onError: (error) => notify(String(error)),
  })
  return (
    <>
      <NativeSelect
        aria-label="Section to export"
        data={options}
        value={section ?? ''}
        onChange={({ currentTarget: { value } }) => setSection(allSections.find((each) => each === value))}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Export
      </Button>
    </>
  )
}
