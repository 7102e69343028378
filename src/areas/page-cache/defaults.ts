import type { PageCacheSettings } from '../websites/index.ts'

/** The page cache of a website that never had one: what WordPress and its shops need is left out. */
export const defaults: PageCacheSettings = {
  is_enabled: false,
  lifetime_seconds: 600,
  max_size_mb: 64,
  uncached_paths: [
    '/wp-admin/',
    '/wp-login.php',
    '/wp-cron.php',
    '/wp-signup.php',
    '/wp-activate.php',
    '/wp-json/',
    '/xmlrpc.php',
    '/cart/',
    '/checkout/',
    '/my-account/',
  ],
  uncached_cookies: [
    'wordpress_logged_in_',
    'wp-postpass_',
    'comment_author_',
    'woocommerce_items_in_cart',
    'woocommerce_cart_hash',
    'wp_woocommerce_session_',
    'edd_items_in_cart',
    'PHPSESSID',
  ],
  caches_queries: false,
}
