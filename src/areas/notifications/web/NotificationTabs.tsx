import { PageTabs } from '../../../web/kit/PageTabs.tsx'

const tabs = [
  { to: '/notifications', label: 'Notifications' },
  { to: '/notifications/delivery', label: 'Delivery' },
]

/** The pages of the notifications. */
export const NotificationTabs = () => <PageTabs label="Pages of the notifications" tabs={tabs} />
