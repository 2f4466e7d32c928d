<?php

// The first lines of a page to which ads lead, before any output. Beside leadback.php of your API; with Composer: vendor/autoload.php.
// Behind a proxy, take scheme, host and address from the headers that it sets.
require __DIR__ . '/leadback.php';

const COOKIES = ['_fbp', '_fbc', '_ttp', '_epik', '_scid', '_rdt_uuid', 'leadback'];
const CLICKED = '/(^|&)(utm_|gad_|(gclid|gbraid|wbraid|fbclid|ttclid|msclkid|li_fat_id|epik|ScCid|twclid|rdt_cid|oppref)=)/i';

/** Keeps the click of an ad or a campaign in the browser of the visitor. Whatever fails, your page is shown. */
function keepClick(Leadback $leadback): void
{
    if ($_SERVER['REQUEST_METHOD'] !== 'GET' || preg_match(CLICKED, $_SERVER['QUERY_STRING'] ?? '') !== 1) {
        return;
    }
    try {
        $lead = $leadback->registerLead([
            'url' => (empty($_SERVER['HTTPS']) ? 'http://' : 'https://') . $_SERVER['HTTP_HOST'] . $_SERVER['REQUEST_URI'],
            'referrer' => $_SERVER['HTTP_REFERER'] ?? null,
            'ip' => $_SERVER['REMOTE_ADDR'],
            'userAgent' => $_SERVER['HTTP_USER_AGENT'] ?? null,
            'cookies' => array_intersect_key($_COOKIE, array_flip(COOKIES)),
            'globalPrivacyControl' => ($_SERVER['HTTP_SEC_GPC'] ?? '') === '1',
        ]);
        if ($lead['leadReference'] !== null) {
            header("Set-Cookie: {$lead['setCookie']}", false);
        }
    } catch (Throwable $error) {
        error_log('Leadback: ' . $error->getMessage());
    }
}

// the visitor waits: one retry, and no long ones
keepClick(new Leadback(getenv('LEADBACK_KEY'), getenv('LEADBACK_URL'), timeout: 1.0, retriesMax: 1));
?>
<!doctype html>
<title>Mates</title>
<p>When the visitor signs up or buys, send the cookie <code>leadback</code> as <code>leadReference</code>.</p>
