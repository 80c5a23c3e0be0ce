package org.example.orders;

record Order(String orderNumber, int articlePrice, String deliveryNote) {}
