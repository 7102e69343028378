import type { ReactNode } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/aipartner', label: 'Chat' },
  { to: '/aipartner/gateway', label: 'Gateway and bot' },
]

interface PartnerFrameProps {
  readonly about: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages of the AI partner. */
export const PartnerFrame = ({ about, actions, children }: PartnerFrameProps) => (
  <Page title="Partner gateway" about={about} actions={actions}>
    <PageTabs label="Pages of the AI partner" tabs={tabs} />
    {children}
  </Page>
)
