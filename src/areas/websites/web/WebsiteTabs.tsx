import { PageTabs } from '../../../web/kit/PageTabs.tsx'

/** The pages of one website. */
export const WebsiteTabs = ({ id }: { readonly id: number }) => (
  <PageTabs
    label="Pages of the website"
    tabs={[
      { to: `/websites/${id}`, label: 'Overview' },
      { to: `/websites/${id}/traffic`, label: 'Traffic' },
      { to: `/websites/${id}/settings`, label: 'Settings' },
      { to: `/websites/${id}/page-cache`, label: 'Page cache' },
      { to: `/websites/${id}/certificate`, label: 'Certificate' },
      { to: `/websites/${id}/crontab`, label: 'Crontab' },
      { to: `/websites/${id}/databases`, label: 'Databases' },
      { to: `/websites/${id}/backups`, label: 'Backups' },
      { to: `/websites/${id}/staging`, label: 'Staging' },
    ]}
  />
)
