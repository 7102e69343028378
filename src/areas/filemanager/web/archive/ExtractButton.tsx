import { Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useState } from 'react'
import { ExtractDialog } from '../dialogs/ExtractDialog.tsx'
import type { Item, Whose } from '../queries.ts'

/** Opens the dialog that extracts an archive. */
export function ExtractButton({ whose, item }: { readonly whose: Whose; readonly item: Item }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconFileZip size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Extract
      </Button>
      {isOpen && (
        <ExtractDialog item={item} whose={whose} showHidden={false} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
