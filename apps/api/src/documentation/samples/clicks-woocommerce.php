<?php

// in functions.php of your child theme, or in a plugin for snippets
add_action('wp_head', function () {
    echo '<script defer src="https://go.example.com/leadback.js" data-page="mates"></script>';
});

$keepReference = function ($order) {
    if (isset($_COOKIE['leadback'])) {
        $order->update_meta_data('leadback', sanitize_text_field(wp_unslash($_COOKIE['leadback'])));
    }
};
add_action('woocommerce_checkout_create_order', $keepReference); // the classic checkout
add_action('woocommerce_store_api_checkout_update_order_meta', $keepReference); // the checkout block
