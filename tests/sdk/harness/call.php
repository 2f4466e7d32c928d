<?php

// Calls the file leadback.php in the folder of the first argument as each line of standard input says in JSON, and prints
// in a line what it returns or throws.
declare(strict_types=1);

require "$argv[1]/leadback.php";

function outcome(array $asked): array
{
    ['options' => $options, 'call' => $call, 'arguments' => $arguments] = $asked;
    if (isset($options['timeoutMs'])) {
        $options['timeout'] = $options['timeoutMs'] / 1000;
        unset($options['timeoutMs']);
    }
    // options of a call are named arguments
    if (str_starts_with($call, 'register') && count($arguments) === 2) {
        $arguments = [$arguments[0], ...$arguments[1]];
    }
    try {
        $leadback = new Leadback(...$options);
        $result = $leadback->$call(...$arguments);
        return ['result' => $result instanceof Generator ? iterator_to_array($result, false) : $result];
    } catch (LeadbackError $error) {
        return ['error' => [
            'status' => $error->status,
            'code' => $error->errorCode,
            'message' => $error->getMessage(),
            'requestId' => $error->requestId,
        ]];
    } catch (Throwable $error) {
        return ['thrown' => $error->getMessage()];
    }
}

while (($line = fgets(STDIN)) !== false) {
    echo json_encode(outcome(json_decode($line, true))), "\n";
}
